-- The texts of each set that others are compared with in a round: its best undecided ones, and fresh representatives (rep). bound: rank of the
-- best undecided text that is not among them, empty if there is none.
CREATE TABLE {db}.w{run}_near_first_local (
    round UInt32, bucket UInt64, text UInt64, rank String, bound String, rep UInt8, name_key UInt64
) ENGINE = MergeTree ORDER BY round
