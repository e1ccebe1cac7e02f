-- Documents that rows of flags refer to, and the shards of these rows.
CREATE TABLE {db}.w{run}_reference_local (
    uid String, shard UInt16
) ENGINE = MergeTree ORDER BY tuple()
