-- The manifests that this node has. out: the columns of manifest_local
SELECT shard, version, documents, hash, fingerprint, pushed_at, relations, collapse_min, near, store
FROM {db}.manifest_local FINAL FORMAT RowBinary
