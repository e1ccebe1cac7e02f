-- Documents whose flags the generations do not share, ascending, after a given one. in: ?1 doc, ?2 limit. out: doc.
SELECT DISTINCT doc FROM twindex_flag WHERE only_in <> 0 AND doc > ?1 ORDER BY doc LIMIT ?2
