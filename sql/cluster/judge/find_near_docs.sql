-- Sends the documents that take part to the nodes of their texts.
INSERT INTO {db}.w{run}_near_doc
SELECT text, rank, layout_key, number, substring(rank, id_at), host_key, name, name_key FROM (
    SELECT text, rank, layout_key, number, id_at, host_key, name, name_key, state
    FROM (SELECT uid, text, rank, layout_key, number, id_at, host_key, name, name_key FROM {db}.w{run}_document_local WHERE own = 0 AND near != 0) AS d
    ANY LEFT JOIN (SELECT uid, state FROM {db}.w{run}_state_local) AS s USING uid
) AS j WHERE state != 1
