-- The ledger, newest first. in: ?1 limit. out: run, started_at, ended_at, state, generation, version, summary, message.
SELECT run, started_at, ended_at, state, generation, version, summary, message FROM twindex_run ORDER BY run DESC LIMIT ?1
