-- For each site the other ones that show its texts: how many, and how many documents have them.
CREATE TABLE {db}.w{run}_elsewhere_local (
    site String, main String, texts UInt64, documents UInt64
) ENGINE = MergeTree ORDER BY tuple()
