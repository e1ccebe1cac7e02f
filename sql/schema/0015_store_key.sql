-- For a store that is a shard of a cluster; created when it is pushed for the first time.

-- One row: a random number that tells this store from all others. A copy of the file has it too.
CREATE TABLE IF NOT EXISTS twindex_store_key(
    one INTEGER PRIMARY KEY CHECK (one = 1),
    key INTEGER NOT NULL
);

INSERT OR IGNORE INTO twindex_store_key(one, key) VALUES (1, random());
