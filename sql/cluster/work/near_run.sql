-- Sets of texts that share a key, each once.
CREATE TABLE {db}.w{run}_near_run_local (
    named UInt8, members Array(UInt64)
) ENGINE = MergeTree ORDER BY tuple()
