-- name: any
-- Whether rows of a generation refer to documents of other stores. in: ?1 generation. out: 0 or 1.
SELECT EXISTS (SELECT 1 FROM twindex_remote WHERE generation = ?1)

-- name: delete
-- Deletes a document that no row refers to any more. in: ?1 generation, ?2 doc.
DELETE FROM twindex_remote WHERE generation = ?1 AND doc = ?2

-- name: get
-- One document of another store. in: ?1 generation, ?2 doc. out: doc, shard, id, url.
SELECT doc, shard, id, url FROM twindex_remote WHERE generation = ?1 AND doc = ?2

-- name: put
-- Stores or replaces a document of another store. in: ?1 generation, ?2 doc, ?3 shard, ?4 id, ?5 url.
INSERT OR REPLACE INTO twindex_remote(generation, doc, shard, id, url) VALUES (?1, ?2, ?3, ?4, ?5)

-- name: read
-- The documents of other stores that a generation refers to, ascending, after a given one. in: ?1 generation, ?2 doc, ?3 limit. out: doc, shard, id, url.
SELECT doc, shard, id, url FROM twindex_remote WHERE generation = ?1 AND doc > ?2 ORDER BY doc LIMIT ?3
