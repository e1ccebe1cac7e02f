-- What is known then of documents: 1: the form of the URL, if a better one takes part; 2: the site prefers URLs without www.; 4: the origin of the domain.
CREATE TABLE {db}.w{run}_said_local (
    uid String, kind UInt8, value UInt64
) ENGINE = MergeTree ORDER BY tuple()
