-- Counts the documents and words of the index (store/text_scores.h). in: nothing. out: nothing, in at most one row.
SELECT text_statistics(twindex_text) FROM twindex_text LIMIT 1
