-- Each document under its URL, as a possible target of links: '0' if it takes part by itself, else '1', and its rank.
CREATE TABLE {db}.w{run}_claim_local (
    url_key UInt64, claim String, domain_key UInt64
) ENGINE = MergeTree ORDER BY tuple()
