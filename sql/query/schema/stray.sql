-- In a file without twindex_state: an object with the name of a table that the first run creates. out: name
SELECT name FROM sqlite_schema
WHERE name IN ('twindex_document', 'twindex_signature', 'twindex_fingerprint', 'twindex_flag', 'twindex_run', 'twindex_host_mirror')
ORDER BY name LIMIT 1
