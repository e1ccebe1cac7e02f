-- The manifests of all nodes.
CREATE TABLE IF NOT EXISTS {db}.manifest AS {db}.manifest_local
ENGINE = Distributed({cluster}, {db}, manifest_local, shard)
