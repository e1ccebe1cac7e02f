-- Stores or replaces a signature, packed; stores nothing if the fingerprint has no number. in: ?1 doc, ?2 token or NULL, ?3 fingerprint, ?4 packed facts and keys.
INSERT INTO twindex_signature(doc, token, fingerprint, facts, keys)
SELECT ?1, ?2, number, ?4, 0 FROM twindex_fingerprint WHERE fingerprint = ?3
ON CONFLICT(doc) DO UPDATE SET token = excluded.token, fingerprint = excluded.fingerprint, facts = excluded.facts, keys = 0
