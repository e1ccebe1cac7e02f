-- For a store that is a shard of a cluster; created when it is pulled for the first time.

-- One row: the result that the generation of flags which is not published holds, complete and ready to be published.
CREATE TABLE IF NOT EXISTS twindex_prepared(
    one       INTEGER PRIMARY KEY CHECK (one = 1),
    token     INTEGER NOT NULL, -- of twindex_state; another one there says that a run has begun since, so the row is void
    base      TEXT,             -- the published generation, which must still be the same
    run       INTEGER NOT NULL, -- of twindex_run
    judgement INTEGER NOT NULL, -- number of the run over the cluster
    shard     INTEGER NOT NULL, -- number of the store there
    documents INTEGER NOT NULL, -- that have flags
    digest    TEXT NOT NULL,    -- of the flags, in hexadecimal digits
    summary   TEXT NOT NULL     -- JSON, for twindex_run
);
