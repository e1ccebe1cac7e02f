-- The representatives that each text matches. place: smaller for the better match.
CREATE TABLE {db}.w{run}_near_best_local (
    pass UInt8, text UInt64, leader UInt64, place String, similarity Int32
) ENGINE = MergeTree ORDER BY tuple()
