-- The survivor that each link leads to.
CREATE TABLE {db}.w{run}_followed_local (
    uid String, survivor String
) ENGINE = MergeTree ORDER BY tuple()
