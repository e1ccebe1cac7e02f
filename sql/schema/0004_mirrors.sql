-- Hosts that mirror another, as last found by `twindex mirrors`, for ranking rules. A host without a row mirrors no other host; others
-- may mirror it. mirror_of may itself be a host of the table, if it is in turn a near mirror of a third.
CREATE TABLE twindex_host_mirror(
    host      TEXT PRIMARY KEY, -- as in the normal form of its URLs: lower case, no port
    mirror_of TEXT NOT NULL,
    level     TEXT NOT NULL,    -- 'exact': by equal texts; 'near': by equal or nearly equal ones
    shared    INTEGER NOT NULL, -- documents of host with a copy on mirror_of
    documents INTEGER NOT NULL, -- documents of host that take part
    ratio     REAL NOT NULL     -- 0..1: the share of documents with a copy on the other host, of host or mirror_of, whichever is smaller
) WITHOUT ROWID;

UPDATE twindex_state SET schema_version = 2;
