-- Sends each document to the node of its survivor.
INSERT INTO {db}.w{run}_star SELECT b, a FROM {db}.w{run}_tie_a_local GROUP BY a, b
