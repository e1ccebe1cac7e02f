-- And from there, with their payloads, to those of the second ones.
INSERT INTO {db}.w{run}_near_half
SELECT {round}, a, b, payload, '', '', 0 FROM (SELECT a, b FROM {db}.w{run}_near_fetch_local WHERE round = {round}) AS f
ANY LEFT JOIN (SELECT text AS a, payload
    FROM {db}.w{run}_near_text_local WHERE text IN (SELECT a FROM {db}.w{run}_near_fetch_local WHERE round = {round})) AS t USING a
