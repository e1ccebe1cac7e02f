-- Finds suspects on which a document takes part that neither links nor is the goal.
INSERT INTO {db}.w{run}_mixed
SELECT host_key FROM (
    SELECT host_key, uid, state FROM (SELECT host_key, uid FROM {db}.w{run}_pushed_local WHERE own = 0 AND host_key IN (SELECT host_key
    FROM {db}.w{run}_suspect)) AS d
    ANY LEFT JOIN (SELECT uid, state FROM {db}.w{run}_edge_local) AS e USING uid
) AS j WHERE state != 1 AND (host_key, uid) NOT IN (SELECT host_key, goal FROM {db}.w{run}_suspect) GROUP BY host_key
