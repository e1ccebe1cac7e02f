-- Brings together what was found of each document.
INSERT INTO {db}.w{run}_result_local
SELECT shard, doc, uid, taking, state, if(state IN (0, 2), '', substring(target, length(target) - 9, 10)),
    if(taking = 0, if(survivor = '' OR substring(survivor, length(survivor) - 9, 10) = uid, '', substring(survivor, length(survivor) - 9, 10)),
        if(state = 1 AND bitAnd({relations}, if(link = 1, 512, 256)) != 0, substring(end, length(end) - 9, 10), '')),
    n, rs, reps, ns, ls, near, number, numbers, similarity, siblings, host
FROM (
    SELECT shard, doc, uid, link, state, target, survivor, n, end, near, number, host, similarity, siblings, if(state = 1 AND own NOT IN (1, 2), if(link = 1, 3, if(own = 0, 6, own)), own) AS taking
    FROM (
        SELECT shard, doc, uid, own, link, near, number, host, similarity, siblings, state, target, survivor, n
        FROM (
            SELECT shard, doc, uid, own, link, near, number, host, similarity, siblings, state, target
            FROM (
                SELECT shard, doc, uid, own, link, near, number, host, similarity, siblings
                FROM (SELECT shard, doc, uid, own, link, near, number, host FROM {db}.w{run}_document_local) AS d
                ANY LEFT JOIN (SELECT uid, similarity, siblings FROM {db}.w{run}_near_flag_local) AS nf USING uid
            ) AS dn
            ANY LEFT JOIN (SELECT uid, state, target FROM {db}.w{run}_state_local) AS s USING uid
        ) AS ds
        ANY LEFT JOIN (SELECT uid, survivor, n FROM {db}.w{run}_cluster_local) AS c USING uid
    ) AS dsc
    ANY LEFT JOIN (SELECT uid, survivor AS end FROM {db}.w{run}_followed_local) AS f USING uid
) AS all
ANY LEFT JOIN (
    SELECT uid, groupArray(relation) AS rs, groupArray(substring(rep, length(rep) - 9, 10)) AS reps, groupArray(n) AS ns, groupArray(layout) AS ls,
        groupArray(number) AS numbers
    FROM {db}.w{run}_member_local GROUP BY uid
) AS m USING uid
