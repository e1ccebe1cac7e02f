-- A newer capture. in: the columns of insert.sql, ?21 id.
UPDATE documents SET url = ?1, title = ?2, description = ?3, http_status = ?4, failure = ?5, robots = ?6,
                     canonical_url = ?7, redirect_url = ?8, hreflang_group = ?9, language = ?10, content_type = ?11,
                     fetched_at = ?12, score = ?13, layout_digest = ?14, payload_digest = ?15, crawl_id = ?16,
                     content_digest = ?17, text = ?18, headings = ?19, names = ?20
WHERE id = ?21
