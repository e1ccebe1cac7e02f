-- Texts that one of these contains are no representatives.
INSERT INTO {db}.w{run}_near_said
SELECT {round}, b, 2 FROM {db}.w{run}_near_ask_local WHERE pass = {pass} AND round = {round}
AND (a, b) IN (SELECT a, b FROM {db}.w{run}_near_pair_local WHERE pass = {pass} AND similarity >= 0) GROUP BY b
