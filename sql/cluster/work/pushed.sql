-- What the stores had pushed when the run began. Their ranks have the order of documents with one URL.
CREATE TABLE {db}.w{run}_pushed_local (
    shard UInt16, doc Int64, hash UInt64, uid String, own UInt8, link UInt8, url_key UInt64, link_key UInt64, domain_key UInt64, host_key UInt64, layout_key UInt64, rank String, relations Array(UInt8), keys Array(UInt64), checks Array(UInt64),
    near UInt8, text UInt64, scope UInt64, first UInt64, sketch_at UInt16, payload String, candidates Array(UInt64), number UInt64,
    id_at UInt8, name String, repeated String, name_keys Array(UInt64), name_key UInt64, host String,
    digest UInt64, site UInt64, form UInt8, origin_at UInt8
) ENGINE = MergeTree ORDER BY tuple()
