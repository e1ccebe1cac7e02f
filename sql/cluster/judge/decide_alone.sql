-- Other texts that are not blocked match no better one: they are representatives.
INSERT INTO {db}.w{run}_near_decided_local
SELECT {pass}, {round}, text, 1 FROM {db}.w{run}_near_place_local WHERE named <= {pass}
AND text NOT IN (SELECT text FROM {db}.w{run}_near_decided_local WHERE pass = {pass})
AND text NOT IN (SELECT text FROM {db}.w{run}_near_said_local WHERE round = {round})
AND text NOT IN (SELECT text FROM {db}.w{run}_near_blocked_local WHERE round = {round}) GROUP BY text
