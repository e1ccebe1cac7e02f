-- The place of this store in the collection. out: shard, run_a, run_b.
SELECT shard, run_a, run_b FROM twindex_collection WHERE one = 1
