-- name: context_delete
-- in: ?1 context.
DELETE FROM twindex_url_hypothesis WHERE context = ?1

-- name: context_put
-- in: ?1 context, ?2 hypothesis, ?3 form, ?4 path, ?5 name, ?6 second, ?7 value, ?8 dup, ?9 nodup.
INSERT OR REPLACE INTO twindex_url_hypothesis(context, hypothesis, form, path, name, second, value, dup, nodup)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)

-- name: contexts
-- Every context in order. out: context, hypothesis, form, path, name, second, value, dup, nodup.
SELECT context, hypothesis, form, path, name, second, value, dup, nodup FROM twindex_url_hypothesis ORDER BY context

-- name: head
-- What the model was learned from. out: run, fingerprint, urls, share.
SELECT run, fingerprint, urls, share FROM twindex_url_model WHERE one = 1

-- name: head_put
-- in: ?1 run, ?2 fingerprint, ?3 urls, ?4 share.
INSERT OR REPLACE INTO twindex_url_model(one, run, fingerprint, urls, share) VALUES (1, ?1, ?2, ?3, ?4)

-- name: seen
-- A batch of keys in order. in: ?1 the last one read, ?2 limit. out: key, value.
SELECT key, value FROM twindex_url_seen WHERE key > ?1 ORDER BY key LIMIT ?2

-- name: seen_delete
-- Removes a key of the URLs that were seen. in: ?1 key.
DELETE FROM twindex_url_seen WHERE key = ?1

-- name: seen_put
-- in: ?1 key, ?2 value.
INSERT OR REPLACE INTO twindex_url_seen(key, value) VALUES (?1, ?2)
