-- The documents that take part and have a text that can have near-duplicates, under that text. ids: has the order of ids.
CREATE TABLE {db}.w{run}_near_doc_local (
    text UInt64, rank String, layout UInt64, number UInt64, ids String, host_key UInt64, name String, name_key UInt64
) ENGINE = MergeTree ORDER BY tuple()
