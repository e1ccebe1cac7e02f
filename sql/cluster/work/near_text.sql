-- The texts of documents that take part. rank, name, host_key, name_key: of its best document; names: the different names of its documents in order of
-- their ids, nine at most, with the host of each.
CREATE TABLE {db}.w{run}_near_text_local (
    text UInt64, rank String, near UInt8, scope UInt64, first UInt64, sketch_at UInt16, payload String, candidates Array(UInt64), repeated String,
    name_keys Array(UInt64), name String, host_key UInt64, name_key UInt64, names Array(String), hosts Array(UInt64)
) ENGINE = MergeTree ORDER BY tuple()
