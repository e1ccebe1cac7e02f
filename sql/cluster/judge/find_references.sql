-- Sends the documents that rows of the result refer to, to their nodes.
INSERT INTO {db}.w{run}_reference
SELECT uid, shard FROM (SELECT shard, arrayConcat(representatives, [link_uid, duplicate_of]) AS uids FROM {db}.w{run}_result_local) AS r
ARRAY JOIN uids AS uid WHERE uid != '' GROUP BY uid, shard
