-- The stored signature of a document. in: ?1 doc. out: as put.sql.
SELECT doc, token, fingerprint, facts, keys FROM twindex_signature WHERE doc = ?1
