-- Sends the domains of documents that take part to the nodes of their texts.
INSERT INTO {db}.w{run}_asked
SELECT 3, digest, 0, '', domain_key FROM (
    SELECT uid, digest, domain_key, state FROM (SELECT uid, digest, domain_key FROM {db}.w{run}_pushed_local WHERE own = 0 AND digest != 0) AS d
    ANY LEFT JOIN (SELECT uid, state FROM {db}.w{run}_state_local) AS s USING uid
) AS j WHERE state != 1 GROUP BY digest, domain_key
