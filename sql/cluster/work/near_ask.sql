-- Pairs that are compared in a round, the better one first. rep: as in near_first; rank: of one that is listed (3). named: they have one name.
CREATE TABLE {db}.w{run}_near_ask_local (
    pass UInt8, round UInt32, a UInt64, b UInt64, rank String, rep UInt8, named UInt8
) ENGINE = MergeTree ORDER BY (pass, round)
