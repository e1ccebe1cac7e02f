-- A step of the schema is done. in: ?1 version.
UPDATE twindex_state SET schema_version = ?1 WHERE one = 1
