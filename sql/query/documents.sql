-- name: find
-- The stored row with the URL of a capture. in: ?1 url. out: id, fetched_at, content_digest.
SELECT id, fetched_at, content_digest FROM documents WHERE url = ?1

-- name: find_payload
-- The document that a WARC revisit record repeats. in: ?1 payload digest. out: the captured columns, id.
-- plan: uses documents_payload, a temporary index is never made
SELECT title, description, text, http_status, robots, canonical_url, redirect_url, hreflang_group, language,
       content_type, layout_digest, headings, names, main_parts, id
FROM documents WHERE payload_digest = ?1 ORDER BY id LIMIT 1

-- name: insert
-- Inserts the first capture of a URL. in: the columns in this order.
INSERT INTO documents(url, title, description, http_status, failure, robots, canonical_url, redirect_url,
                      hreflang_group, language, content_type, fetched_at, score, layout_digest, payload_digest,
                      crawl_id, content_digest, text, headings, names, main_parts)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)

-- name: update
-- A newer capture. in: the columns of insert.sql, ?22 id.
UPDATE documents SET url = ?1, title = ?2, description = ?3, http_status = ?4, failure = ?5, robots = ?6,
                     canonical_url = ?7, redirect_url = ?8, hreflang_group = ?9, language = ?10, content_type = ?11,
                     fetched_at = ?12, score = ?13, layout_digest = ?14, payload_digest = ?15, crawl_id = ?16,
                     content_digest = ?17, text = ?18, headings = ?19, names = ?20, main_parts = ?21
WHERE id = ?22
