-- Links under their target.
CREATE TABLE {db}.w{run}_follow_local (
    target String, uid String, rank String
) ENGINE = MergeTree ORDER BY tuple()
