-- Ordinary tables that are not ours, in order of name. out: name, without rowid.
SELECT name, wr FROM pragma_table_list
WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name NOT LIKE 'twindex\_%' ESCAPE '\'
ORDER BY name
