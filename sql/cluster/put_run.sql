-- Adds a run, from any node. in: rows of run_local
INSERT INTO {db}.run FORMAT RowBinary
