-- All stored mirrors, in order of host. out: host, mirror_of, level, shared, documents, ratio.
SELECT host, mirror_of, level, shared, documents, ratio FROM twindex_host_mirror ORDER BY host
