-- Votes. in: ?1 run, ?2 shard, ?3 vote, ?4 documents, ?5 digest, ?6 voted_at.
UPDATE twindex_vote SET vote = ?3, documents = ?4, digest = ?5, voted_at = ?6 WHERE run = ?1 AND shard = ?2
