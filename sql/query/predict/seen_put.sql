-- in: ?1 key, ?2 value.
INSERT OR REPLACE INTO twindex_url_seen(key, value) VALUES (?1, ?2)
