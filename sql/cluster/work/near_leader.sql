-- The representative of each text.
CREATE TABLE {db}.w{run}_near_leader_local (
    pass UInt8, text UInt64, leader UInt64, similarity Int32
) ENGINE = MergeTree ORDER BY tuple()
