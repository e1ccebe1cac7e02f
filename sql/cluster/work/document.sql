-- The documents that are judged: what the stores had pushed when the run began.
CREATE TABLE {db}.w{run}_document_local (
    shard UInt16, doc Int64, hash UInt64, uid String, own UInt8, link UInt8, url_key UInt64, link_key UInt64, domain_key UInt64, host_key UInt64, layout_key UInt64, rank String, relations Array(UInt8), keys Array(UInt64), checks Array(UInt64)
) ENGINE = MergeTree ORDER BY tuple()
