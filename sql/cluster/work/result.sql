-- The result: for each document whether it takes part, the outcome of its link, the document it duplicates, and its groups. Documents are uids, empty for
-- none; eligibility and link_state are those of the flags.
CREATE TABLE {db}.w{run}_result_local (
    shard UInt16, doc Int64, uid String, eligibility UInt8, link_state UInt8, link_uid String, duplicate_of String, cluster_count UInt64,
    relations Array(UInt8), representatives Array(String), counts Array(UInt64), layouts Array(UInt8)
) ENGINE = MergeTree ORDER BY (shard, doc)
