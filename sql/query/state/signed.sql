-- Every document is signed under these parameters. in: ?1 fingerprint or NULL.
UPDATE twindex_state SET fingerprint = ?1 WHERE one = 1 AND fingerprint IS NOT ?1
