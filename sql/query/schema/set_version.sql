-- Records a completed migration step. in: ?1 version.
UPDATE twindex_state SET schema_version = ?1 WHERE one = 1
