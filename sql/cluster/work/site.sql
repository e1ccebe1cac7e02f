-- The documents of each site (a host without www.) by eligibility, and how many of them are hidden by others.
CREATE TABLE {db}.w{run}_site_local (
    site String, eligibility UInt8, documents UInt64, hidden UInt64
) ENGINE = MergeTree ORDER BY tuple()
