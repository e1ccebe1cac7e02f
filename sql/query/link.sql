-- name: any
-- Whether a document has links. in: ?1 doc. out: 1, or no row.
SELECT 1 FROM twindex_link WHERE doc = ?1 LIMIT 1

-- name: copy
-- Copies the links of one document to another. in: ?1 the other doc, ?2 doc.
INSERT OR IGNORE INTO twindex_link(doc, to_url) SELECT ?2, to_url FROM twindex_link WHERE doc = ?1

-- name: drop
-- Deletes all links of a document. in: ?1 doc.
DELETE FROM twindex_link WHERE doc = ?1

-- name: each
-- A batch of links, in order. in: ?1 doc and ?2 to_url of the last one read, ?3 limit. out: doc, from_url, to_url.
-- plan: both tables by key, nothing is sorted
SELECT l.doc, d.url, l.to_url FROM twindex_link AS l CROSS JOIN documents AS d ON d.id = l.doc
WHERE (l.doc, l.to_url) > (?1, ?2) AND typeof(l.to_url) = 'text' ORDER BY l.doc, l.to_url LIMIT ?3

-- name: put
-- Stores one link, once even if the page repeats it. in: ?1 doc, ?2 to_url.
INSERT OR IGNORE INTO twindex_link(doc, to_url) VALUES (?1, ?2)

-- name: sweep
-- Deletes the links of documents that were deleted without a trigger running.
DELETE FROM twindex_link WHERE doc NOT IN (SELECT id FROM documents)
