-- Pairs that have been compared. similarity: -1 for pairs that do not match; contains: of copies.
CREATE TABLE {db}.w{run}_near_pair_local (
    pass UInt8, a UInt64, b UInt64, similarity Int32, contains UInt8
) ENGINE = MergeTree ORDER BY tuple()
