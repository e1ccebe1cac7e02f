-- name: clear
-- Deletes the counts of a generation before those of another run are stored. in: ?1 generation.
DELETE FROM twindex_site WHERE generation = ?1

-- name: each
-- The counts of a generation. in: ?1 generation. out: site, documents.
SELECT site, documents FROM twindex_site WHERE generation = ?1 ORDER BY site

-- name: put
-- Stores one count. in: ?1 generation, ?2 site, ?3 documents.
INSERT OR REPLACE INTO twindex_site(generation, site, documents) VALUES (?1, ?2, ?3)
