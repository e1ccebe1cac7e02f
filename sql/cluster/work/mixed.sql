-- Those of them on which other documents take part, too.
CREATE TABLE {db}.w{run}_mixed_local (
    host_key UInt64
) ENGINE = MergeTree ORDER BY tuple()
