-- Rows of runs that were killed: only the holder of the lock runs, so nobody else can be running.
UPDATE twindex_run SET state = 'died' WHERE state = 'running'
