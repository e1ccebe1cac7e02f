-- Sends the members of each set to their nodes.
INSERT INTO {db}.w{run}_near_place
SELECT named, bucket, text FROM (SELECT named, cityHash64(named, members) AS bucket, members FROM {db}.w{run}_near_run_local GROUP BY named, members) AS r
ARRAY JOIN members AS text
