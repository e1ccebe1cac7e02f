-- Records the parameters under which every document is signed. in: ?1 fingerprint or NULL.
UPDATE twindex_state SET fingerprint = ?1 WHERE one = 1 AND fingerprint IS NOT ?1
