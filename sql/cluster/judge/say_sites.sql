-- The documents of sites of which more documents are without www. than with it.
INSERT INTO {db}.w{run}_said
SELECT uid, 2, 1 FROM {db}.w{run}_asked_local WHERE kind = 2 AND key IN (
    SELECT key FROM {db}.w{run}_asked_local WHERE kind = 2 GROUP BY key HAVING countIf(value = 1) > countIf(value = 0))
