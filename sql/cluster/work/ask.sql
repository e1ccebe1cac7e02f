-- Paths under their goal.
CREATE TABLE {db}.w{run}_ask_local (
    ask String, uid String, best String
) ENGINE = MergeTree ORDER BY tuple()
