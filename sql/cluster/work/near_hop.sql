-- Texts (member) under their representatives.
CREATE TABLE {db}.w{run}_near_hop_local (
    pass UInt8, member UInt64, text UInt64
) ENGINE = MergeTree ORDER BY tuple()
