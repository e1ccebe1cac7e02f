-- Those on which no other document takes part: their links are ignored.
CREATE TABLE {db}.w{run}_collapsed_local (
    host_key UInt64
) ENGINE = MergeTree ORDER BY tuple()
