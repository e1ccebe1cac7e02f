-- Sends the pairs that have not been compared to the nodes of their first texts.
INSERT INTO {db}.w{run}_near_fetch
SELECT {round}, a, b FROM {db}.w{run}_near_ask_local WHERE pass = {pass} AND round = {round}
AND (a, b) NOT IN (SELECT a, b FROM {db}.w{run}_near_pair_local WHERE pass = {pass}) GROUP BY a, b
