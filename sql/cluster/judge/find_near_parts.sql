-- Sends each text to its node.
INSERT INTO {db}.w{run}_near_part
SELECT text, any(near), any(scope), any(first), any(sketch_at), any(payload), any(candidates), any(repeated), groupUniqArrayArray(name_keys)
FROM {db}.w{run}_document_local WHERE near != 0 GROUP BY text
