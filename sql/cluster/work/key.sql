-- The keys of documents that take part.
CREATE TABLE {db}.w{run}_key_local (
    relation UInt8, key UInt64, check UInt64, rank String, layout UInt64, number UInt64
) ENGINE = MergeTree ORDER BY tuple()
