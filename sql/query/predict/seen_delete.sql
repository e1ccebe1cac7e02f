-- Removes a key of the URLs that were seen. in: ?1 key.
DELETE FROM twindex_url_seen WHERE key = ?1
