-- Titles that shown documents have, in order of their signature. in: ?1 least number of documents. out: signature, documents, first
-- and last of them.
SELECT title_signature_l, count(*) AS documents, min(id), max(id) FROM document_flags
WHERE representative_b = 1 AND title_signature_l IS NOT NULL
GROUP BY title_signature_l HAVING count(*) >= ?1 ORDER BY title_signature_l
