-- Adds a manifest, from any node. in: a row of manifest_local
INSERT INTO {db}.manifest (shard, version, documents, hash, fingerprint, pushed_at, relations, collapse_min, near, store) FORMAT RowBinary
