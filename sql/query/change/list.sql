-- Documents changed up to a mark, each once, in order. in: ?1 mark, ?2 after this doc, ?3 limit. out: doc.
SELECT DISTINCT doc FROM twindex_change WHERE seq <= ?1 AND doc > ?2 ORDER BY doc LIMIT ?3
