-- Sends the keys of documents that take part to the node of their key.
INSERT INTO {db}.w{run}_key
SELECT relation, key, check, rank, layout_key, number FROM (
    SELECT rank, layout_key, number, relations, keys, checks, state FROM (SELECT uid, rank, layout_key, number, relations, keys, checks
    FROM {db}.w{run}_document_local WHERE own = 0) AS d
    ANY LEFT JOIN (SELECT uid, state FROM {db}.w{run}_state_local) AS s USING uid
) AS j ARRAY JOIN relations AS relation, keys AS key, checks AS check WHERE state != 1
