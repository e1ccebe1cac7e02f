-- The owner's own triggers on documents. out: their names, separated by commas; NULL if there are none.
SELECT group_concat(name, ', ') FROM (SELECT name FROM sqlite_schema
    WHERE type = 'trigger' AND tbl_name = 'documents' COLLATE NOCASE AND substr(name, 1, 8) <> 'twindex_' ORDER BY name)
