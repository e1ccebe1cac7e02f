-- For each shard the documents that its rows of flags refer to, in this and in other shards, with their ranks and the forms of their URLs.
CREATE TABLE {db}.w{run}_remote_local (
    shard UInt16, uid String, rank String, form UInt8
) ENGINE = MergeTree ORDER BY (shard, uid)
