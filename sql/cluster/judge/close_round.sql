-- The texts of the next round: representatives are listed in the sets that were not full when they were found.
INSERT INTO {db}.w{run}_near_open_local
SELECT {round} + 1, named, bucket, text, rank, listable, if(state = 1 OR said = 1, 1, 0), if(state = 0 AND said = 1, 1, 0), name_key FROM (
    SELECT named, bucket, text, rank, listable, state, name_key, said FROM (
        SELECT named, bucket, text, rank, listable, state, name_key FROM {db}.w{run}_near_open_local WHERE round = {round}
    ) AS o
    ANY LEFT JOIN (SELECT bucket, text, state AS said FROM {db}.w{run}_near_told_local WHERE pass = {pass} AND round = {round}) AS t USING bucket, text
) AS ot
ANY LEFT JOIN (SELECT bucket, text, 1 AS chosen FROM {db}.w{run}_near_first_local WHERE round = {round} AND rep = 0) AS f USING bucket, text
WHERE state = 1 OR said = 0 OR (said = 1 AND chosen = 1)
