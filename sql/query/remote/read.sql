-- The documents of other stores that a generation refers to, ascending, after a given one. in: ?1 generation, ?2 doc, ?3 limit. out: doc, shard, id, url.
SELECT doc, shard, id, url FROM twindex_remote WHERE generation = ?1 AND doc > ?2 ORDER BY doc LIMIT ?3
