-- All documents in the order of rules, without a query. out: id, score
SELECT f.id, {score} AS score
FROM document_flags AS f
WHERE {filter}
ORDER BY score DESC, f.id;
