-- The same with what is known of the first text.
CREATE TABLE {db}.w{run}_near_half_local (
    round UInt32, a UInt64, b UInt64, payload String, name String, repeated String, name_key UInt64
) ENGINE = MergeTree ORDER BY round
