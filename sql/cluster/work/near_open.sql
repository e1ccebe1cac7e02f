-- The texts of each set in a round. state: 0 undecided, 1 listed representative, 3 representative that waits for a place in the list; fresh: listed in the last round; listable: it can be in the list of representatives.
CREATE TABLE {db}.w{run}_near_open_local (
    round UInt32, named UInt8, bucket UInt64, text UInt64, rank String, listable UInt8, state UInt8, fresh UInt8, name_key UInt64
) ENGINE = MergeTree ORDER BY round
