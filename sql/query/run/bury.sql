-- Closes the ledger rows of killed runs: the caller holds the lock, so no other run is active.
UPDATE twindex_run SET state = 'died' WHERE state = 'running'
