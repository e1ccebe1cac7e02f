-- Sends the pairs that have not been compared, and may match, to the nodes of their first texts: texts that are not similar must have one name.
INSERT INTO {db}.w{run}_near_fetch
SELECT {round}, a, b FROM (SELECT a, b, max(named) AS same FROM {db}.w{run}_near_ask_local WHERE pass = {pass} AND round = {round} GROUP BY a, b) AS p
WHERE (a, b) NOT IN (SELECT a, b FROM {db}.w{run}_near_pair_local WHERE pass = {pass})
AND (same = 1 OR (a, b) NOT IN (SELECT a, b FROM {db}.w{run}_near_pair_local WHERE pass = 0 AND similarity < 0))
