-- Ordinary tables other than Twindex's, in order of name. out: name, without rowid.
SELECT name, wr FROM pragma_table_list
WHERE schema = 'main' AND type = 'table' AND substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 8) <> 'twindex_'
ORDER BY name
