-- The ledger of a cluster, a file of its own: which results of the cluster are published in all stores.

-- The runs over the cluster that a store has begun to pull.
CREATE TABLE IF NOT EXISTS twindex_judgement(
    run          INTEGER PRIMARY KEY,
    committed_at INTEGER -- seconds since 1970; NULL: not decided
);

-- A row for each store that a run has judged.
CREATE TABLE IF NOT EXISTS twindex_vote(
    run          INTEGER NOT NULL,
    shard        INTEGER NOT NULL,
    vote         TEXT CHECK (vote IN ('prepared', 'again')), -- NULL: none
    documents    INTEGER, -- that have flags
    digest       TEXT,    -- of the prepared flags
    voted_at     INTEGER,
    published_at INTEGER,
    PRIMARY KEY (run, shard)
) WITHOUT ROWID;
