-- What the text index was made by. out: fingerprint, languages
SELECT fingerprint, languages FROM twindex_text_state WHERE id = 1
