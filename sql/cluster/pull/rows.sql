-- The rows of a shard in some of these parts. out: flags
SELECT flags FROM {db}.w{run}_result_local WHERE shard = {shard} AND {key} FORMAT RowBinary
