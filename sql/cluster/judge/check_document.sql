-- What this node judges of each store. out: shard, documents, sum of their hashes
SELECT shard, count(), sum(hash) FROM {db}.w{run}_pushed_local GROUP BY shard FORMAT RowBinary
