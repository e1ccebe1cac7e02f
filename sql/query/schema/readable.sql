-- Tables that a mapping can read and that are not ours, and FTS5 tables with content of their own. out: name, whether it is one of those.
SELECT name, type = 'virtual' FROM pragma_table_list AS t
WHERE schema = 'main' AND substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 8) <> 'twindex_'
  AND (type = 'table' OR (type = 'virtual' AND EXISTS (SELECT 1 FROM pragma_table_info(t.name || '_content') WHERE name = 'c0')))
ORDER BY type, name
