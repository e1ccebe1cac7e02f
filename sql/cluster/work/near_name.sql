-- The names of the documents of each host, from which common words are learned. ids: has the order of ids.
CREATE TABLE {db}.w{run}_near_name_local (
    host_key UInt64, ids String, name String, repeated String
) ENGINE = MergeTree ORDER BY tuple()
