-- Adds pairs that were compared. in: rows of near_pair
INSERT INTO {db}.w{run}_near_pair (pass, a, b, similarity, contains) FORMAT RowBinary
