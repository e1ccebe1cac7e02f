-- The same in both directions.
CREATE TABLE {db}.w{run}_both_local (
    u String, v String
) ENGINE = MergeTree ORDER BY tuple()
