-- Takes back the votes of a store for runs that are not committed. in: ?1 shard.
UPDATE twindex_vote SET vote = NULL, documents = NULL, digest = NULL, voted_at = NULL
WHERE shard = ?1 AND vote IS NOT NULL AND run IN (SELECT run FROM twindex_judgement WHERE committed_at IS NULL)
