-- Titles that three or more shown documents have. in: ?1 limit. out: documents, first and last of them.
SELECT count(*) AS documents, min(id), max(id) FROM document_flags
WHERE representative_b = 1 AND title_signature_l IS NOT NULL
GROUP BY title_signature_l HAVING count(*) >= 3 ORDER BY documents DESC, min(id) LIMIT ?1
