-- Hosts of which at least collapse_min pages link, all to one page, the goal.
CREATE TABLE {db}.w{run}_suspect_local (
    host_key UInt64, goal String
) ENGINE = MergeTree ORDER BY tuple()
