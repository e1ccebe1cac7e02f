-- Documents that share a group of the verdict, as pairs of ranks, the larger one first. Two tables take turns.
CREATE TABLE {db}.w{run}_{table}_local (
    a String, b String
) ENGINE = MergeTree ORDER BY tuple()
