-- Sends the pairs with representatives that match to the nodes of their second texts.
INSERT INTO {db}.w{run}_near_best
SELECT {pass}, b, a, concat(toString(9 - contains), toString(9000000 - similarity), of_a), similarity FROM (
    SELECT a, b, any(rank) AS of_a FROM {db}.w{run}_near_ask_local WHERE pass = {pass} AND rep = 3 GROUP BY a, b
) AS p
ALL INNER JOIN (SELECT a, b, similarity, contains FROM {db}.w{run}_near_pair_local WHERE pass = {pass} AND similarity >= 0) AS q USING a, b
