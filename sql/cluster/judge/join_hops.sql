-- Takes the representative of the representative.
INSERT INTO {db}.w{run}_near_leader
SELECT {pass} + 1, member, leader2, 0 FROM (SELECT member, text FROM {db}.w{run}_near_hop_local WHERE pass = {pass}) AS h
ANY LEFT JOIN (SELECT text, leader AS leader2 FROM {db}.w{run}_near_leader_local WHERE pass = {pass}) AS l USING text
