-- The documents of a store that this node has. out: doc, hash
SELECT doc, hash FROM {db}.document_local FINAL WHERE shard = {shard} AND gone = 0 FORMAT RowBinary
