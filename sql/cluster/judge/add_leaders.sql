-- The other texts represent themselves.
INSERT INTO {db}.w{run}_near_leader_local
SELECT {pass}, text, text, 1000000 FROM {db}.w{run}_near_text_local WHERE text NOT IN (SELECT text FROM {db}.w{run}_near_leader_local WHERE pass = {pass})
