-- Counts the documents that have each phrase of a query (store/text_scores.h). in: ?1 an expression that matches what has any of them. out: nothing, in at
-- most one row.
SELECT text_statistics(twindex_text) FROM twindex_text WHERE twindex_text MATCH ?1 LIMIT 1
