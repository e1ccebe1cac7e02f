-- name: referred
-- Documents of a shard that other documents, of any shard, refer to. out: uid
SELECT uid FROM {db}.w{run}_remote_local WHERE reinterpretAsUInt16(reverse(substring(uid, 1, 2))) = {shard}
GROUP BY uid FORMAT RowBinary

-- name: remotes
-- Documents of other shards that rows of a shard refer to. out: uid, rank, form
SELECT uid, rank, form FROM {db}.w{run}_remote_local
WHERE shard = {shard} AND reinterpretAsUInt16(reverse(substring(uid, 1, 2))) != {shard} FORMAT RowBinary

-- name: rows
-- The rows of a shard in some of these parts. out: flags
SELECT flags FROM {db}.w{run}_result_local WHERE shard = {shard} AND {key} FORMAT RowBinary

-- name: sums
-- Sums of the hashes of a shard's rows, for parts of its documents. out: part, sum
SELECT intDiv(doc, toInt64({width})) AS part, sum(sipHash64(flags)) FROM {db}.w{run}_result_local WHERE shard = {shard}
GROUP BY part FORMAT RowBinary
