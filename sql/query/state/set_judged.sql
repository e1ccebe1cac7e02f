-- Records that the published flags are those of the stored signatures, or with NULL that it is not known. in: ?1 fingerprint of the settings.
UPDATE twindex_state SET judged = ?1 WHERE one = 1 AND judged IS NOT ?1
