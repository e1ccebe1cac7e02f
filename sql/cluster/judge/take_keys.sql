-- Sends keys of candidates that were pushed to their nodes.
INSERT INTO {db}.w{run}_near_band SELECT 0, band, text FROM {db}.w{run}_near_text_local ARRAY JOIN candidates AS band WHERE near = 1
