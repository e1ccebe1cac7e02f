-- The end of a range of numbers. in: ?1 after this doc, ?2 how many. out: its last doc, NULL: there are no more.
SELECT max(doc) FROM (SELECT doc FROM twindex_document WHERE doc > ?1 ORDER BY doc LIMIT ?2)
