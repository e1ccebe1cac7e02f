-- Sends the copies of each document, itself if it has none, to the node of its representative of near-duplicates.
INSERT INTO {db}.w{run}_near_sibling
SELECT near_rep, uid, if(copy_rep = '', uid, copy_rep) FROM (
    SELECT uid, substring(rep, length(rep) - 9, 10) AS near_rep FROM {db}.w{run}_member_local WHERE relation = 6
) AS n
ANY LEFT JOIN (SELECT uid, substring(rep, length(rep) - 9, 10) AS copy_rep FROM {db}.w{run}_member_local WHERE relation = 7) AS c USING uid
