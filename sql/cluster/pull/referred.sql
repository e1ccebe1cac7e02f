-- Documents of a shard that other documents, of any shard, refer to. out: uid
SELECT uid FROM {db}.w{run}_remote_local WHERE reinterpretAsUInt16(reverse(substring(uid, 1, 2))) = {shard}
GROUP BY uid FORMAT RowBinary
