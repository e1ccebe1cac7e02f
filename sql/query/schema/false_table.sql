-- A view with the name of one of Twindex's tables: reading it could take forever. out: name
SELECT name FROM sqlite_schema
WHERE substr(name, 1, 8) = 'twindex_' AND type = 'view' AND name <> 'twindex_group_member' ORDER BY name LIMIT 1
