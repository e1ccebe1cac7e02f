-- FTS tables that keep no text. out: name.
SELECT name FROM sqlite_schema
WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%fts%' AND replace(replace(sql, ' ', ''), '"', '''') LIKE '%content=''''%'
ORDER BY name LIMIT 3
