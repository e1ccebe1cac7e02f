-- The texts of each set that others are compared with in a round: its best ones that are undecided or wait for a place, and fresh representatives. rep: 2 if it is a
-- representative, and 1 if it is listed, or will be should it be one. bound: rank of the
-- best other one, empty if there is none.
CREATE TABLE {db}.w{run}_near_first_local (
    round UInt32, bucket UInt64, text UInt64, rank String, bound String, rep UInt8, name_key UInt64
) ENGINE = MergeTree ORDER BY round
