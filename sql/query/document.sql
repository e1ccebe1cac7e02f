-- name: each
-- All mapped ids with their numbers. out: doc, id.
SELECT doc, id FROM twindex_document

-- name: find
-- Number of a mapped id. in: ?1 id. out: doc.
SELECT doc FROM twindex_document WHERE id = ?1

-- name: id
-- The id of a number. in: ?1 doc. out: id.
SELECT id FROM twindex_document WHERE doc = ?1

-- name: list_ids
-- The keys of all documents by their ids, without an affinity: for a source whose id has no index.
DROP TABLE IF EXISTS temp.twindex_source_ids;
CREATE TEMP TABLE twindex_source_ids(id, scan_key);
INSERT INTO temp.twindex_source_ids SELECT id, scan_key FROM source_document WHERE scan_key IS NOT NULL;
CREATE INDEX temp.twindex_source_ids_key ON twindex_source_ids(id, scan_key)

-- name: make
-- Assigns a number to an id. in: ?1 id, ?2 the number, NULL: a new one.
INSERT INTO twindex_document(doc, id) VALUES (?2, ?1)

-- name: range
-- The end of a range of numbers. in: ?1 after this doc, ?2 how many. out: its last doc, NULL: there are no more.
SELECT max(doc) FROM (SELECT doc FROM twindex_document WHERE doc > ?1 ORDER BY doc LIMIT ?2)

-- name: sweep
-- Deletes the numbers of a range that no signature and no flag of either generation uses. in: ?1 after this doc, ?2 up to this one.
DELETE FROM twindex_document
WHERE doc > ?1 AND doc <= ?2 AND doc NOT IN (SELECT doc FROM twindex_signature)
  AND NOT EXISTS (SELECT 1 FROM twindex_flag AS f WHERE f.doc = twindex_document.doc)
