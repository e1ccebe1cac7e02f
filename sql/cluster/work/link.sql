-- The links, under the URL of their target.
CREATE TABLE {db}.w{run}_link_local (
    uid String, link_key UInt64, domain_key UInt64, host_key UInt64
) ENGINE = MergeTree ORDER BY tuple()
