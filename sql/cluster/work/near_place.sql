-- The sets that each text is in.
CREATE TABLE {db}.w{run}_near_place_local (
    named UInt8, bucket UInt64, text UInt64
) ENGINE = MergeTree ORDER BY tuple()
