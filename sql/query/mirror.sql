-- name: clear
-- Deletes all mirrors before new ones are stored.
DELETE FROM twindex_host_mirror

-- name: each
-- All stored mirrors, in order of host. out: host, mirror_of, level, shared, documents, ratio.
SELECT host, mirror_of, level, shared, documents, ratio FROM twindex_host_mirror ORDER BY host

-- name: put
-- One host that mirrors another. in: ?1 host, ?2 mirror_of, ?3 level, ?4 shared, ?5 documents, ?6 ratio.
INSERT INTO twindex_host_mirror(host, mirror_of, level, shared, documents, ratio) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
