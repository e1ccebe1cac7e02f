-- Sends the pairs of all representatives in lists with texts after them that are none. {base}: the first round.
INSERT INTO {db}.w{run}_near_ask
SELECT {pass}, {round}, y, text, any(r), 3, max(k != 0 AND k = name_key) FROM (SELECT bucket, text AS y, rank AS r, name_key AS k
    FROM {db}.w{run}_near_open_local WHERE round = {round} AND state = 1) AS f
ALL INNER JOIN (SELECT bucket, text, rank, name_key FROM {db}.w{run}_near_open_local WHERE round = {base}
    AND (bucket, text) IN (SELECT bucket, text FROM {db}.w{run}_near_told_local WHERE pass = {pass} AND state = 2)) AS o USING bucket
WHERE rank > r GROUP BY y, text
