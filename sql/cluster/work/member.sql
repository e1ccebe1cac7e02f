-- The members of groups. layout: another member has the same markup.
CREATE TABLE {db}.w{run}_member_local (
    uid String, relation UInt8, rep String, n UInt64, layout UInt8, number UInt64
) ENGINE = MergeTree ORDER BY tuple()
