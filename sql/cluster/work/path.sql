-- For each link that counts, the document that 1, 2, 4, ... links lead to, and the rank of the last document on the way that takes part by itself, without the first; done: the goal has no link. Two tables take turns.
CREATE TABLE {db}.w{run}_{table}_local (
    uid String, goal String, best String, done UInt8
) ENGINE = MergeTree ORDER BY tuple()
