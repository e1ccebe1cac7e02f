-- What documents have in the flags besides groups: the similarity of the text to its representative, in millionths, and the number of siblings.
CREATE TABLE {db}.w{run}_near_flag_local (
    uid String, similarity Int32, siblings UInt64
) ENGINE = MergeTree ORDER BY tuple()
