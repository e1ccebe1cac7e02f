-- Adds their ranks, which have the ids.
INSERT INTO {db}.w{run}_remote_local
SELECT shard, uid, rank FROM (SELECT uid, shard FROM {db}.w{run}_reference_local GROUP BY uid, shard) AS r
ANY LEFT JOIN (SELECT uid, rank FROM {db}.w{run}_document_local) AS d USING uid
