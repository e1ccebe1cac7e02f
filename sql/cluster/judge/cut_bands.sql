-- Sends keys of candidates to their nodes: bands of the sketches, or the first keys under masks. key: expressions over scope, first and s, the sketch.
INSERT INTO {db}.w{run}_near_band
SELECT 0, band, text FROM (SELECT text, scope, first, substring(payload, sketch_at + 1, 128) AS s
FROM {db}.w{run}_near_text_local WHERE near >= {base} AND near <= {cap}) AS t ARRAY JOIN [{key}] AS band SETTINGS max_block_size = 8192
