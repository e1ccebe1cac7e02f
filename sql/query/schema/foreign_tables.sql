-- Tables that are not ours. out: how many
SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 8) <> 'twindex_'
