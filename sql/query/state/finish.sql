-- Records under which parameters every document is signed, unless a trigger has reset it meanwhile because rows of the cache were
-- dropped. in: ?1 fingerprint, ?2 what it was.
UPDATE twindex_state SET fingerprint = ?1 WHERE one = 1 AND fingerprint IS ?2
