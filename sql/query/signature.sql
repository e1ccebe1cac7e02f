-- name: count
-- The number of signed documents. out: count.
SELECT count(*) FROM twindex_signature

-- name: delete
-- Deletes the signature of a deleted document. in: ?1 doc.
DELETE FROM twindex_signature WHERE doc = ?1

-- name: docs
-- Signed documents after a given one, ascending. in: ?1 doc, ?2 limit. out: doc.
SELECT doc FROM twindex_signature WHERE doc > ?1 ORDER BY doc LIMIT ?2

-- name: each_direct
-- All signatures in order of the id, which is doc. out: as get.sql, then id.
SELECT doc, token, fingerprint, facts, keys, doc FROM twindex_signature ORDER BY doc

-- name: each_mapped
-- All signatures in order of the id (integers and reals, then text, then blobs, both by bytes). out: as get.sql, then id.
-- plan: walks the unique index of twindex_document(id)
SELECT s.doc, s.token, s.fingerprint, s.facts, s.keys, d.id
FROM twindex_document AS d CROSS JOIN twindex_signature AS s ON s.doc = d.doc
ORDER BY d.id

-- name: fingerprint
-- The fingerprint with a number. in: ?1 number. out: fingerprint.
SELECT fingerprint FROM twindex_fingerprint WHERE number = ?1

-- name: get
-- The stored signature of a document. in: ?1 doc. out: doc, token, fingerprint or its number, facts, keys (a number: packed, and the version of the layout).
SELECT doc, token, fingerprint, facts, keys FROM twindex_signature WHERE doc = ?1

-- name: number
-- Gives a fingerprint the next number. in: ?1 fingerprint.
INSERT INTO twindex_fingerprint(number, fingerprint) VALUES ((SELECT coalesce(max(number) + 1, 0) FROM twindex_fingerprint), ?1)

-- name: put
-- Stores or replaces a signature, packed; stores nothing if the fingerprint has no number. in: ?1 doc, ?2 token or NULL, ?3 fingerprint, ?4 packed facts and keys, ?5 version of their layout.
INSERT INTO twindex_signature(doc, token, fingerprint, facts, keys)
SELECT ?1, ?2, number, ?4, ?5 FROM twindex_fingerprint WHERE fingerprint = ?3
ON CONFLICT(doc) DO UPDATE SET token = excluded.token, fingerprint = excluded.fingerprint, facts = excluded.facts, keys = excluded.keys

-- name: range
-- The numbers of the first and the last document. out: doc, doc; NULL: there is none.
SELECT (SELECT min(doc) FROM twindex_signature), (SELECT max(doc) FROM twindex_signature)
