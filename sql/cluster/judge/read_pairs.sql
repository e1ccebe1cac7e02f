-- Pairs to compare, in a part of the texts. out: a, b, and their payloads
SELECT a, b, payload, payload2 FROM (SELECT a, b, payload FROM {db}.w{run}_near_half_local WHERE round = {round} AND b % {parts} = {range}) AS h
ANY LEFT JOIN (SELECT text AS b, payload AS payload2 FROM {db}.w{run}_near_text_local WHERE text % {parts} = {range}
    AND text IN (SELECT b FROM {db}.w{run}_near_half_local WHERE round = {round})) AS t USING b FORMAT RowBinary
