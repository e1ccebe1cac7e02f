-- Finds the groups of two or more in a range of keys, and sends them to the nodes of their members. Relations 2, 3 and 7 (exact, fuzzy,
-- copy) show whether markup is shared.
INSERT INTO {db}.w{run}_member
SELECT substring(rank, length(rank) - 9, 10), relation, rep, n, same > 1, rep_number FROM (
    SELECT relation, key, check, layout, rank, rep, n, rep_number
    FROM (SELECT relation, key, check, layout, rank FROM {db}.w{run}_key_local WHERE key % {ranges} = {range}) AS k
    ALL INNER JOIN (SELECT relation, key, check, min(rank) AS rep, count() AS n, argMin(number, rank) AS rep_number
    FROM {db}.w{run}_key_local WHERE key % {ranges} = {range} GROUP BY relation, key, check HAVING n > 1) AS g USING relation, key, check
) AS m
ANY LEFT JOIN (SELECT relation, key, check, layout, count() AS same
    FROM {db}.w{run}_key_local
    WHERE key % {ranges} = {range} AND layout != 0 AND relation IN (2, 3, 7)
    GROUP BY relation, key, check, layout) AS l USING relation, key, check, layout
