-- The result that is ready to be published. out: token, base or NULL, run, judgement, shard, documents, digest, summary.
SELECT token, base, run, judgement, shard, documents, digest, summary FROM twindex_prepared WHERE one = 1
