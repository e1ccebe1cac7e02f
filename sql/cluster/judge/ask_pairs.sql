-- Sends the pairs of these with undecided texts after them to the nodes of the pairs.
INSERT INTO {db}.w{run}_near_ask
SELECT {pass}, {round}, y, text, anyIf(r, is_rep = 3), max(is_rep), max(k != 0 AND k = name_key) FROM (SELECT bucket, text AS y, rank AS r, name_key AS k, bound, rep AS is_rep
    FROM {db}.w{run}_near_first_local WHERE round = {round}) AS f
ALL INNER JOIN (SELECT bucket, text, rank, name_key FROM {db}.w{run}_near_open_local WHERE round = {round} AND state = 0) AS o USING bucket
WHERE rank > r AND (bound = '' OR rank < bound) GROUP BY y, text
