-- Documents of other shards that rows of a shard refer to. out: uid, rank, form
SELECT uid, rank, form FROM {db}.w{run}_remote_local
WHERE shard = {shard} AND reinterpretAsUInt16(reverse(substring(uid, 1, 2))) != {shard} FORMAT RowBinary
