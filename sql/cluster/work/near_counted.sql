-- The number of siblings of each document.
CREATE TABLE {db}.w{run}_near_counted_local (
    uid String, siblings UInt64
) ENGINE = MergeTree ORDER BY tuple()
