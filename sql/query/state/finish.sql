-- Records the parameters under which every document is signed, unless a trigger has reset them meanwhile because rows of the
-- cache were deleted. in: ?1 fingerprint, ?2 the previous fingerprint.
UPDATE twindex_state SET fingerprint = ?1 WHERE one = 1 AND fingerprint IS ?2
