-- The links with their targets. state: as twx_link_state; claim: of the target, empty if it is missing.
CREATE TABLE {db}.w{run}_edge_local (
    uid String, host_key UInt64, state UInt8, claim String
) ENGINE = MergeTree ORDER BY tuple()
