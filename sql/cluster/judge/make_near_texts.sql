-- Brings together what is known of the texts of documents that take part.
INSERT INTO {db}.w{run}_near_text_local
SELECT text, best, kind, scope1, first1, at1, payload1, candidates1, repeated1, keys1, name1, host1, key1, names1, hosts1 FROM (
    SELECT text, best, name1, host1, key1, names1, hosts1 FROM (
        SELECT text, min(rank) AS best, argMin(name, rank) AS name1, argMin(host_key, rank) AS host1, argMin(name_key, rank) AS key1
        FROM {db}.w{run}_near_doc_local GROUP BY text
    ) AS d
    ANY LEFT JOIN (
        SELECT text, arraySlice(arraySort((n, i) -> i, groupArray(name), groupArray(begin)), 1, 9) AS names1,
            arraySlice(arraySort((h, i) -> i, groupArray(host), groupArray(begin)), 1, 9) AS hosts1
        FROM (SELECT text, name, min(ids) AS begin, argMin(host_key, ids) AS host FROM {db}.w{run}_near_doc_local WHERE name != '' GROUP BY text, name) AS n
        GROUP BY text
    ) AS m USING text
) AS dm
ANY LEFT JOIN (
    SELECT text, any(near) AS kind, any(scope) AS scope1, any(first) AS first1, any(sketch_at) AS at1, any(payload) AS payload1,
        any(candidates) AS candidates1, any(repeated) AS repeated1, groupUniqArrayArray(name_keys) AS keys1
    FROM {db}.w{run}_near_part_local GROUP BY text
) AS p USING text
