-- What the judging program has found of texts that match a better one: 0 still open, 1 representative, 2 not.
CREATE TABLE {db}.w{run}_near_said_local (
    round UInt32, text UInt64, state UInt8
) ENGINE = MergeTree ORDER BY round
