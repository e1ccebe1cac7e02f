-- Adds decisions. in: rows of near_said
INSERT INTO {db}.w{run}_near_said (round, text, state) FORMAT RowBinary
