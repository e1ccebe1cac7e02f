-- Gives a fingerprint the next number. in: ?1 fingerprint.
INSERT INTO twindex_fingerprint(number, fingerprint) VALUES ((SELECT coalesce(max(number) + 1, 0) FROM twindex_fingerprint), ?1)
