-- Sends the links that count to the node of their host.
INSERT INTO {db}.w{run}_host SELECT host_key, claim FROM {db}.w{run}_edge_local WHERE state = 1
