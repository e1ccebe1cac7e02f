-- Sums of the hashes of a shard's rows, for parts of its documents. out: part, sum
SELECT intDiv(doc, toInt64({width})) AS part, sum(sipHash64(flags)) FROM {db}.w{run}_result_local WHERE shard = {shard}
GROUP BY part FORMAT RowBinary
