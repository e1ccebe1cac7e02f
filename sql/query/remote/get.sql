-- One document of another store. in: ?1 generation, ?2 doc. out: doc, shard, id, url.
SELECT doc, shard, id, url FROM twindex_remote WHERE generation = ?1 AND doc = ?2
