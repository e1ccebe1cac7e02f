-- For copies, the sets of near-duplicates once more: members that are listed as representatives there, at the end of round {base}, are not listed again.
INSERT INTO {db}.w{run}_near_open_local
SELECT {round}, 0, bucket, text, rank, if(listed = 1, 0, 1), 0, 0, name_key FROM (SELECT bucket, text, rank, name_key
    FROM {db}.w{run}_near_open_local WHERE round = 0) AS o
ANY LEFT JOIN (SELECT bucket, text, 1 AS listed FROM {db}.w{run}_near_open_local WHERE round = {base} AND state = 1) AS l USING bucket, text
