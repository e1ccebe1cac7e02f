-- All signatures in order of the id, which is doc. out: as get.sql.
SELECT doc, token, fingerprint, facts, keys FROM twindex_signature ORDER BY doc
