-- Sends the decisions of a round to the nodes of the sets.
INSERT INTO {db}.w{run}_near_told
SELECT {pass}, {round}, bucket, text, state FROM (SELECT bucket, text FROM {db}.w{run}_near_place_local WHERE named <= {pass}) AS p
ALL INNER JOIN (SELECT text, state FROM {db}.w{run}_near_decided_local WHERE pass = {pass} AND round = {round}) AS d USING text
