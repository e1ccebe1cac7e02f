-- The last run of the ledger. out: its number, 1 if it has not ended, the version of Twindex it was made with
SELECT run, ended_at IS NULL, version FROM twindex_run ORDER BY run DESC LIMIT 1
