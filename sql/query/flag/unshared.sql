-- Documents whose flags the generations do not share, ascending, after a given one. Numbers that are texts do not count. in: ?1 doc,
-- ?2 limit. out: doc.
SELECT DISTINCT doc FROM twindex_flag WHERE only_in <> 0 AND doc > ?1 AND typeof(doc) = 'integer' ORDER BY doc LIMIT ?2
