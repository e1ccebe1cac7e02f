-- The links that count so far, under the host of their page.
CREATE TABLE {db}.w{run}_host_local (
    host_key UInt64, claim String
) ENGINE = MergeTree ORDER BY tuple()
