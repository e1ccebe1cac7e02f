-- Sends the forms of the URLs of documents that take part to the nodes of their keys. Relations 0 and 1: scheme, www
INSERT INTO {db}.w{run}_asked
SELECT relation, key, check, uid, own_form FROM (
    SELECT uid, relations, keys, checks, bitXor(form, bare) AS own_form, state FROM (
        SELECT uid, relations, keys, checks, form, state
        FROM (SELECT uid, relations, keys, checks, form FROM {db}.w{run}_pushed_local WHERE own = 0) AS d
        ANY LEFT JOIN (SELECT uid, state FROM {db}.w{run}_state_local) AS s USING uid
    ) AS ds
    ANY LEFT JOIN (SELECT uid, value AS bare FROM {db}.w{run}_said_local WHERE kind = 2) AS b USING uid
) AS j ARRAY JOIN relations AS relation, keys AS key, checks AS check WHERE state != 1 AND relation IN (0, 1)
