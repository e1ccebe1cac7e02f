-- name: add_run
-- Adds a run. in: ?1 run.
INSERT INTO twindex_judgement(run) VALUES (?1) ON CONFLICT DO NOTHING

-- name: add_shard
-- Adds a store that a run has judged. in: ?1 run, ?2 shard.
INSERT INTO twindex_vote(run, shard) VALUES (?1, ?2) ON CONFLICT DO NOTHING

-- name: commit
-- Commits a run. in: ?1 run, ?2 committed_at.
UPDATE twindex_judgement SET committed_at = ?2 WHERE run = ?1 AND committed_at IS NULL

-- name: each
-- The votes of a run. in: ?1 run. out: shard, vote, documents, digest, voted_at, published_at, committed_at.
SELECT v.shard, v.vote, v.documents, v.digest, v.voted_at, v.published_at, j.committed_at
FROM twindex_vote AS v JOIN twindex_judgement AS j ON j.run = v.run WHERE v.run = ?1 ORDER BY v.shard

-- name: newest
-- The newest run, and the newest one that is committed. out: run, run; NULL: none.
SELECT max(run), max(CASE WHEN committed_at IS NOT NULL THEN run END) FROM twindex_judgement

-- name: published
-- Notes that a store has published a run. in: ?1 run, ?2 shard, ?3 published_at.
UPDATE twindex_vote SET published_at = ?3 WHERE run = ?1 AND shard = ?2

-- name: put
-- Votes. in: ?1 run, ?2 shard, ?3 vote, ?4 documents, ?5 digest, ?6 voted_at.
UPDATE twindex_vote SET vote = ?3, documents = ?4, digest = ?5, voted_at = ?6 WHERE run = ?1 AND shard = ?2

-- name: withdraw
-- Takes back the votes of a store for runs that are not committed. in: ?1 shard.
UPDATE twindex_vote SET vote = NULL, documents = NULL, digest = NULL, voted_at = NULL
WHERE shard = ?1 AND vote IS NOT NULL AND run IN (SELECT run FROM twindex_judgement WHERE committed_at IS NULL)
