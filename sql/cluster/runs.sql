-- The runs that this node knows. out: the columns of run_local
SELECT run, ended_at, shard, version, documents, hash, stopped FROM {db}.run_local ORDER BY run, shard FORMAT RowBinary
