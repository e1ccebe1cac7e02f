-- The names of a part of the hosts in order of ids; hosts with fewer documents have no common words. out: host, name, repeated words
SELECT host_key, name, repeated FROM {db}.w{run}_near_name_local WHERE host_key % {parts} = {range} AND host_key IN (
    SELECT host_key FROM {db}.w{run}_near_name_local WHERE host_key % {parts} = {range} GROUP BY host_key HAVING count() >= 3)
ORDER BY host_key, ids FORMAT RowBinary
