-- Pairs that have not been compared before.
CREATE TABLE {db}.w{run}_near_fetch_local (
    round UInt32, a UInt64, b UInt64
) ENGINE = MergeTree ORDER BY round
