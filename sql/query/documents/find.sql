-- The stored row with the URL of a capture. in: ?1 url. out: id, fetched_at, content_digest.
SELECT id, fetched_at, content_digest FROM documents WHERE url = ?1
