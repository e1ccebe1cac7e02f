-- Stores or replaces a document of another store. in: ?1 generation, ?2 doc, ?3 shard, ?4 id, ?5 url.
INSERT OR REPLACE INTO twindex_remote(generation, doc, shard, id, url) VALUES (?1, ?2, ?3, ?4, ?5)
