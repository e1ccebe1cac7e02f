-- Title and best passage of the document in memory, with marks around the matches. in: ?1 query, ?2 mark before, ?3 mark
-- after, ?4 words. out: title, snippet
SELECT highlight(twindex_text, 0, ?2, ?3), snippet(twindex_text, 1, ?2, ?3, '...', ?4) FROM twindex_text WHERE twindex_text MATCH ?1
