-- The texts of each set that others are compared with in a round: its best ones that are undecided or wait for a place, and fresh representatives.
-- rep: 2: it is a representative; plus 1: it is in the list, or is sure of a place in it if it becomes a representative. bound: rank of the best other
-- text, empty if there is none.
CREATE TABLE {db}.w{run}_near_first_local (
    round UInt32, bucket UInt64, text UInt64, rank String, bound String, rep UInt8, name_key UInt64
) ENGINE = MergeTree ORDER BY round
