-- The survivor of each document that is in a cluster, and the number of its documents.
CREATE TABLE {db}.w{run}_cluster_local (
    uid String, survivor String, n UInt64
) ENGINE = MergeTree ORDER BY tuple()
