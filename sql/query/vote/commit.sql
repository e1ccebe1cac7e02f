-- Commits a run. in: ?1 run, ?2 committed_at.
UPDATE twindex_judgement SET committed_at = ?2 WHERE run = ?1 AND committed_at IS NULL
