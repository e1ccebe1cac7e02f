-- What a push has left: the number of a store's documents and the sum of their hashes, and the fingerprint of the settings they were
-- signed with; relations: of the verdict, as twx_judge_options has them; near: fingerprint of the settings of near-duplicates, 0 without them;
-- store: the number that tells the store from others (twindex_store_key).
CREATE TABLE IF NOT EXISTS {db}.manifest_local (
    shard UInt16, version UInt64, documents UInt64, hash UInt64, fingerprint UInt64, pushed_at UInt64, relations UInt32, collapse_min UInt32, near UInt64, store UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY shard
