-- The same under the sets of each text.
CREATE TABLE {db}.w{run}_near_told_local (
    pass UInt8, round UInt32, bucket UInt64, text UInt64, state UInt8
) ENGINE = MergeTree ORDER BY (pass, round)
