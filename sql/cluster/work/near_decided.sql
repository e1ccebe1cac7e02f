-- What has been decided of texts, likewise.
CREATE TABLE {db}.w{run}_near_decided_local (
    pass UInt8, round UInt32, text UInt64, state UInt8
) ENGINE = MergeTree ORDER BY (pass, round)
