-- What ranks depend on, by key: 0 and 1: the forms of the URLs of documents that take part, by the keys of these relations; 2: by the site; 3: domains, by
-- the digests of their texts; 4: numbers of texts, by the domain that has them alone; 5: documents, by their domains.
CREATE TABLE {db}.w{run}_asked_local (
    kind UInt8, key UInt64, check UInt64, uid String, value UInt64
) ENGINE = MergeTree ORDER BY tuple()
