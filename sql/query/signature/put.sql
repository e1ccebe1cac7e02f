-- Stores or replaces a signature. in: ?1 doc, ?2 token or NULL, ?3 fingerprint, ?4 facts, ?5 keys.
INSERT INTO twindex_signature(doc, token, fingerprint, facts, keys) VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT(doc) DO UPDATE SET token = ?2, fingerprint = ?3, facts = ?4, keys = ?5
