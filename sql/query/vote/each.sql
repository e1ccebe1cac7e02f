-- The votes of a run. in: ?1 run. out: shard, vote, documents, digest, voted_at, published_at, committed_at.
SELECT v.shard, v.vote, v.documents, v.digest, v.voted_at, v.published_at, j.committed_at
FROM twindex_vote AS v JOIN twindex_judgement AS j ON j.run = v.run WHERE v.run = ?1 ORDER BY v.shard
