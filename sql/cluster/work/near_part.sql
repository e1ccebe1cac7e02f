-- The texts of each node's documents.
CREATE TABLE {db}.w{run}_near_part_local (
    text UInt64, near UInt8, scope UInt64, first UInt64, sketch_at UInt16, payload String, candidates Array(UInt64), repeated String, name_keys Array(UInt64)
) ENGINE = MergeTree ORDER BY tuple()
