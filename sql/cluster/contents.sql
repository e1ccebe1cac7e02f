-- What this node has of each store. out: shard, documents, sum of their hashes, highest version
SELECT shard, sum(gone = 0), sum(if(gone = 0, hash, toUInt64(0))), max(version)
FROM {db}.document_local FINAL GROUP BY shard FORMAT RowBinary
