-- Sends keys of names to their nodes.
INSERT INTO {db}.w{run}_near_band SELECT 1, band, text FROM {db}.w{run}_near_text_local ARRAY JOIN name_keys AS band
