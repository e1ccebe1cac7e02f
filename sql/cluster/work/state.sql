-- The outcome of each link, and its target as a rank.
CREATE TABLE {db}.w{run}_state_local (
    uid String, state UInt8, target String
) ENGINE = MergeTree ORDER BY tuple()
