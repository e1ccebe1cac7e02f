-- The groups of copies under the representative of near-duplicates.
CREATE TABLE {db}.w{run}_near_sibling_local (
    rep String, uid String, copy String
) ENGINE = MergeTree ORDER BY tuple()
