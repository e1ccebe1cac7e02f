-- Inserts the first capture of a URL. in: the columns in this order.
INSERT INTO documents(url, title, description, http_status, failure, robots, canonical_url, redirect_url,
                      hreflang_group, language, content_type, fetched_at, score, layout_digest, payload_digest,
                      crawl_id, content_digest, text, headings, names)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)
