-- Keeps the other suspects.
INSERT INTO {db}.w{run}_collapsed SELECT host_key FROM {db}.w{run}_suspect_local WHERE host_key NOT IN (SELECT host_key FROM {db}.w{run}_mixed_local)
