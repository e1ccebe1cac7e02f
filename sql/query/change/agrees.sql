-- Whether documents and signatures are as many, and the last of each is the same, apart from those that are queued. out: 1 or 0.
WITH queued(doc) AS MATERIALIZED (SELECT DISTINCT doc FROM twindex_change)
SELECT (SELECT count(*) FROM documents) - (SELECT count(*) FROM queued CROSS JOIN documents ON id = doc) =
        (SELECT count(*) FROM twindex_signature) - (SELECT count(*) FROM queued CROSS JOIN twindex_signature USING (doc))
    AND (SELECT max(id) FROM documents WHERE id NOT IN queued) IS (SELECT max(doc) FROM twindex_signature WHERE doc NOT IN queued)
