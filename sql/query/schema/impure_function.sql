-- Whether the value of an SQL function can depend on more than its arguments: the clock, chance, the connection, or other rows (window functions).
-- SQLite counts its date functions as deterministic, although 'now' is an argument of theirs. in: ?1 name. out: a row if it can.
SELECT 1 WHERE lower(?1) IN ('date', 'time', 'datetime', 'julianday', 'unixepoch', 'strftime', 'timediff')
    OR NOT EXISTS (SELECT 1 FROM pragma_function_list WHERE name = ?1 COLLATE NOCASE AND type = 's' AND flags & 0x800)
