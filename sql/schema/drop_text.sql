-- Takes the text index away.
DROP TABLE twindex_text;
DROP TABLE twindex_text_slot;
