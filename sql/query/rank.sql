-- name: documents
-- All documents in the order of rules, without a query. out: id, score
SELECT f.id, {score} AS score
FROM document_flags AS f
WHERE {filter}
ORDER BY score DESC, f.id;

-- name: hidden
-- Documents that a filter leaves out. out: doc, takes part
SELECT r.doc, r.eligibility = 0
FROM {rows} AS r JOIN document_flags AS f ON f.id = {<}r.doc{>}
WHERE ({filter}) IS NOT TRUE
