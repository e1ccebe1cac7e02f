-- The runs over the cluster that have ended, with what each store had pushed: a row for each run and shard. stopped: by a guard.
CREATE TABLE IF NOT EXISTS {db}.run_local (
    run UInt64, ended_at UInt64, shard UInt16, version UInt64, documents UInt64, hash UInt64, stopped UInt8
) ENGINE = MergeTree ORDER BY (run, shard)
