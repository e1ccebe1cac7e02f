-- Adds their ranks, which have the ids, and the forms of their URLs.
INSERT INTO {db}.w{run}_remote_local
SELECT shard, uid, rank, form FROM (SELECT uid, shard FROM {db}.w{run}_reference_local GROUP BY uid, shard) AS r
ANY LEFT JOIN (SELECT uid, rank, form FROM {db}.w{run}_document_local) AS d USING uid
