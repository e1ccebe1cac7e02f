-- Finds the best of them for each text.
INSERT INTO {db}.w{run}_near_leader_local
SELECT {pass}, text, argMin(leader, place), argMin(similarity, place) FROM {db}.w{run}_near_best_local WHERE pass = {pass} GROUP BY text
