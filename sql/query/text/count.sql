-- The number of indexed documents, and of slots ever used. out: documents, slots
SELECT count(*), coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'twindex_text_slot'), 0) FROM twindex_text_slot
