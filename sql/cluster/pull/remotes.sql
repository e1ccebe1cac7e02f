-- Documents of other shards that rows of a shard refer to. out: uid, rank
SELECT uid, rank FROM {db}.w{run}_remote_local
WHERE shard = {shard} AND reinterpretAsUInt16(reverse(substring(uid, 1, 2))) != {shard} FORMAT RowBinary
