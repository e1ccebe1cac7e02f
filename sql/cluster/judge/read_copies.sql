-- Pairs to compare, in a part of the texts. out: a, b, payload, name and repeated words of a, whether both have one name, payload, name, repeated words
-- and host of b, all names of b and their hosts
SELECT a, b, payload, name, repeated, name_key != 0 AND name_key = key2, payload2, name2, repeated2, host2, names, hosts
FROM (SELECT a, b, payload, name, repeated, name_key FROM {db}.w{run}_near_half_local WHERE round = {round} AND b % {parts} = {range}) AS h
ANY LEFT JOIN (SELECT text AS b, payload AS payload2, name AS name2, repeated AS repeated2, host_key AS host2, name_key AS key2, names, hosts
    FROM {db}.w{run}_near_text_local WHERE text % {parts} = {range}
    AND text IN (SELECT b FROM {db}.w{run}_near_half_local WHERE round = {round})) AS t USING b ORDER BY b FORMAT RowBinary
