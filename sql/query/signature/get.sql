-- The stored signature of a document. in: ?1 doc. out: doc, token, fingerprint or its number, facts, keys (0: packed).
SELECT doc, token, fingerprint, facts, keys FROM twindex_signature WHERE doc = ?1
