-- Drops the text index.
DROP TABLE twindex_text;
DROP TABLE twindex_text_slot;
DROP TABLE IF EXISTS twindex_text_state;
