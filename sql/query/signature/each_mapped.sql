-- All signatures in order of the id (integers and reals, then text, then blobs, both by bytes). out: as get.sql, then id.
-- plan: walks the unique index of twindex_document(id)
SELECT s.doc, s.token, s.fingerprint, s.facts, s.keys, d.id
FROM twindex_document AS d CROSS JOIN twindex_signature AS s ON s.doc = d.doc
ORDER BY d.id
