-- Adds a run, from any node. in: rows of run_local
INSERT INTO {db}.run (run, ended_at, shard, version, documents, hash, stopped) FORMAT RowBinary
