-- name: begin
-- Opens a ledger row. in: ?1 started_at, ?2 generation, ?3 version, ?4 settings.
INSERT INTO twindex_run(started_at, state, generation, version, settings) VALUES (?1, 'running', ?2, ?3, ?4)

-- name: bury
-- Closes the ledger rows of killed runs: the caller holds the lock, so no other run is active.
UPDATE twindex_run SET state = 'died' WHERE state = 'running'

-- name: end
-- Closes a ledger row. in: ?1 run, ?2 ended_at, ?3 state, ?4 summary, ?5 message, ?6 documents, ?7 indexable, ?8 hidden, ?9 counts.
UPDATE twindex_run SET ended_at = ?2, state = ?3, summary = ?4, message = ?5, documents = ?6, indexable = ?7, hidden = ?8, counts = ?9 WHERE run = ?1

-- name: list
-- The ledger, newest first. in: ?1 limit. out: run, started_at, ended_at, state, generation, version, summary, message, documents, indexable, hidden.
SELECT run, started_at, ended_at, state, generation, version, summary, message, documents, indexable, hidden FROM twindex_run ORDER BY run DESC LIMIT ?1

-- name: unended
-- The last run of the ledger. out: its number, 1 if it has not ended, the version of Twindex it was made with
SELECT run, ended_at IS NULL, version FROM twindex_run ORDER BY run DESC LIMIT 1

-- name: drop
-- Removes one run from the ledger unless a generation of flags is its result. in: ?1 run.
DELETE FROM twindex_run WHERE run = ?1 AND NOT EXISTS (SELECT 1 FROM twindex_state WHERE one = 1 AND ?1 IN (run_a, run_b))
