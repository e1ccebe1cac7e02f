-- The document that a WARC revisit record repeats. in: ?1 payload digest. out: the captured columns, id.
-- plan: uses documents_payload, a temporary index is never made
SELECT title, description, text, http_status, robots, canonical_url, redirect_url, hreflang_group, language,
       content_type, layout_digest, headings, names, id
FROM documents WHERE payload_digest = ?1 ORDER BY id LIMIT 1
