-- All signatures in order of the id, which is doc. out: as get.sql, then id.
SELECT doc, token, fingerprint, facts, keys, doc FROM twindex_signature ORDER BY doc
