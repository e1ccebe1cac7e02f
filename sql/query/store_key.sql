-- name: read
-- The number that tells this store from others. out: key.
SELECT key FROM twindex_store_key WHERE one = 1
