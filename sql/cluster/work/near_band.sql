-- Keys of candidates. named: made of names.
CREATE TABLE {db}.w{run}_near_band_local (
    named UInt8, key UInt64, text UInt64
) ENGINE = MergeTree ORDER BY tuple()
