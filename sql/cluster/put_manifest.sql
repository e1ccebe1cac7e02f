-- Adds a manifest, from any node. in: a row of manifest_local
INSERT INTO {db}.manifest FORMAT RowBinary
