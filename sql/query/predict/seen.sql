-- A batch of keys in order. in: ?1 the last one read, ?2 limit. out: key, value.
SELECT key, value FROM twindex_url_seen WHERE key > ?1 ORDER BY key LIMIT ?2
