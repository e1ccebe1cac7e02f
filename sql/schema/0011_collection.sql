-- For a store that takes part in a run with other stores; created by the first such run.

-- The documents of other stores that rows of flags refer to. doc stands for them there: a number in a range of its own, at or below -2^62,
-- made of shard and id. It is the same in each run, so that few rows change.
CREATE TABLE IF NOT EXISTS twindex_remote(
    generation TEXT NOT NULL,    -- 'a' or 'b'
    doc        INTEGER NOT NULL,
    shard      TEXT NOT NULL,    -- the name of the document's store
    id         NOT NULL,         -- in that store; without affinity, as in twindex_document
    url        TEXT,             -- normal form; NULL: longer than is kept
    PRIMARY KEY (generation, doc)
) WITHOUT ROWID;

-- One row: the place of this store in the collection.
CREATE TABLE IF NOT EXISTS twindex_collection(
    one   INTEGER PRIMARY KEY CHECK (one = 1),
    shard TEXT NOT NULL, -- the name of this store among the others
    run_a INTEGER,       -- number of the run over all stores whose result generation a holds; NULL: of a run of this store alone
    run_b INTEGER
);
