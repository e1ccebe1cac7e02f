-- The survivor of the target, or the target.
INSERT INTO {db}.w{run}_followed
SELECT uid, if(survivor = '', rank, survivor) FROM (SELECT target, uid, rank FROM {db}.w{run}_follow_local) AS f
ANY LEFT JOIN (SELECT uid AS target, survivor FROM {db}.w{run}_cluster_local) AS c USING target
