-- The similarities of documents' texts.
CREATE TABLE {db}.w{run}_near_similar_local (
    uid String, similarity Int32
) ENGINE = MergeTree ORDER BY tuple()
