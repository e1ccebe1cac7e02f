-- name: agrees
-- Whether documents and signatures are as many, and the last of each is the same, apart from those that are queued. out: 1 or 0.
WITH queued(doc) AS MATERIALIZED (SELECT DISTINCT doc FROM twindex_change)
SELECT (SELECT count(*) FROM documents) - (SELECT count(*) FROM queued CROSS JOIN documents ON id = doc) =
        (SELECT count(*) FROM twindex_signature) - (SELECT count(*) FROM queued CROSS JOIN twindex_signature USING (doc))
    AND (SELECT max(id) FROM documents WHERE id NOT IN queued) IS (SELECT max(doc) FROM twindex_signature WHERE doc NOT IN queued)

-- name: forget
-- Removes the oldest changes that a run has signed from the queue; later ones stay. in: ?1 mark, ?2 how many at most.
DELETE FROM twindex_change WHERE seq <= min(?1, (SELECT min(seq) FROM twindex_change) + ?2 - 1)

-- name: last
-- The newest change. out: seq or NULL.
SELECT max(seq) FROM twindex_change

-- name: list
-- Documents changed up to a mark, each once, in order. in: ?1 mark, ?2 after this doc, ?3 limit. out: doc.
SELECT DISTINCT doc FROM twindex_change WHERE seq <= ?1 AND doc > ?2 ORDER BY doc LIMIT ?3

-- name: queue
-- Queues a changed document. in: ?1 doc.
INSERT INTO twindex_change(doc) VALUES (?1)
