-- Texts that cannot be decided in a round, because a better one may be.
CREATE TABLE {db}.w{run}_near_blocked_local (
    round UInt32, text UInt64
) ENGINE = MergeTree ORDER BY round
