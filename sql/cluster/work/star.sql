-- Documents under the survivor of their cluster.
CREATE TABLE {db}.w{run}_star_local (
    b String, a String
) ENGINE = MergeTree ORDER BY tuple()
