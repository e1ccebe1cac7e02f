-- Signed documents after a given one, ascending. in: ?1 doc, ?2 limit. out: doc.
SELECT doc FROM twindex_signature WHERE doc > ?1 ORDER BY doc LIMIT ?2
