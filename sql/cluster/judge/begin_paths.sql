-- Begins the paths: each link that counts, without loops that have been found.
INSERT INTO {db}.w{run}_path_a_local
SELECT uid, substring(claim, length(claim) - 9, 10), if(substring(claim, 1, 1) = '0', substring(claim, 2), ''), 0 FROM {db}.w{run}_edge_local
WHERE state = 1 AND uid NOT IN (SELECT uid FROM {db}.w{run}_loop_local)
AND host_key NOT IN (SELECT host_key FROM {db}.w{run}_collapsed)
