-- Documents whose links form loops.
CREATE TABLE {db}.w{run}_loop_local (
    uid String
) ENGINE = MergeTree ORDER BY tuple()
