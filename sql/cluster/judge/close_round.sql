-- The texts of the next round. Representatives are listed in the sets where they were sure of a place; in those that are not full they wait for one.
INSERT INTO {db}.w{run}_near_open_local
SELECT {round} + 1, named, bucket, text, rank, listable, multiIf(state = 1, 1, state = 0 AND said = 0, 0, place = 2, 1, 3),
    if(state != 1 AND place = 2 AND (state = 3 OR said = 1), 1, 0), name_key FROM (
    SELECT named, bucket, text, rank, listable, state, name_key, said FROM (
        SELECT named, bucket, text, rank, listable, state, name_key FROM {db}.w{run}_near_open_local WHERE round = {round}
    ) AS o
    ANY LEFT JOIN (SELECT bucket, text, state AS said FROM {db}.w{run}_near_told_local WHERE pass = {pass} AND round = {round}) AS t USING bucket, text
) AS ot
ANY LEFT JOIN (SELECT bucket, text, toUInt8(1 + rep % 2) AS place FROM {db}.w{run}_near_first_local WHERE round = {round}) AS f USING bucket, text
WHERE state = 1 OR (state = 0 AND said = 0) OR ((state = 3 OR said = 1) AND place > 0)
OR (state = 3 AND bucket IN (SELECT bucket FROM {db}.w{run}_near_first_local WHERE round = {round} AND bound != ''))
