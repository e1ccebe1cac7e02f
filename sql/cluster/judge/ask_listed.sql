-- Sends the pairs of these with the texts after them to the nodes of the pairs.
INSERT INTO {db}.w{run}_near_ask
SELECT {pass}, {round}, y, text, any(r), 1, max(k != 0 AND k = name_key) FROM (SELECT bucket, text AS y, rank AS r, name_key AS k
    FROM {db}.w{run}_near_open_local WHERE round = {base} AND state = 1) AS f
ALL INNER JOIN (SELECT bucket, text, rank, name_key FROM {db}.w{run}_near_open_local WHERE round = 0) AS o USING bucket
WHERE rank > r GROUP BY y, text
