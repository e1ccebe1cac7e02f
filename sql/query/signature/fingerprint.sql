-- The fingerprint with a number. in: ?1 number. out: fingerprint.
SELECT fingerprint FROM twindex_fingerprint WHERE number = ?1
