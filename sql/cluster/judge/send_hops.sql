-- A text may be contained in one that is contained in another one: sends each to its representative.
INSERT INTO {db}.w{run}_near_hop SELECT {pass}, text, leader FROM {db}.w{run}_near_leader_local WHERE pass = {pass}
