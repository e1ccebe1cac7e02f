-- Documents of a run that take part, in a part of the hosts. out: host, representatives in the relations 2 and 6 (exact, near), whether they are survivors, documents
SELECT host, e, n, s, count() FROM (
    SELECT host, representatives[indexOf(relations, 2)] AS e, representatives[indexOf(relations, 6)] AS n, duplicate_of = '' AS s
    FROM {db}.w{run}_result_local WHERE eligibility = 0 AND host != '' AND cityHash64(host) % {parts} = {range}
) AS d GROUP BY host, e, n, s FORMAT RowBinary
