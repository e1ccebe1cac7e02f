-- Which part of the cluster this node is. out: number of the part, parts of the cluster, replicas of this part
SELECT maxIf(shard_num, is_local = 1), uniqExact(shard_num), countIf(is_local = 1)
FROM system.clusters WHERE cluster = '{cluster}' FORMAT TabSeparated
