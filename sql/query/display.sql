-- name: differing
-- A member of a cluster of the verdict whose text differs from the representative's. in: ?1 representative, ?2 its store, ?3 signature of its
-- text, ?4 name of this store; both names are NULL if there is no other store. out: document.
SELECT m.document FROM twindex_group_member AS m JOIN document_flags AS f ON f.id = m.document
WHERE m.detector = 'verdict' AND m.representative = ?1 AND coalesce(m.representative_shard, ?4) IS ?2 AND f.exact_signature_l <> ?3
ORDER BY m.document LIMIT 1

-- name: groups
-- Groups of a detector with their members, largest first. in: ?1 detector, ?2 name of this store, NULL: it has no name.
-- out: representative, documents, document, store of the representative.
SELECT representative, documents, document, coalesce(representative_shard, ?2) AS home FROM twindex_group_member
WHERE detector = ?1 ORDER BY documents DESC, representative, home, document

-- name: largest
-- The largest clusters of the verdict. in: ?1 limit. out: representative, documents.
SELECT representative, documents FROM duplicate_groups WHERE detector = 'verdict' ORDER BY documents DESC, representative LIMIT ?1

-- name: members
-- Some members of one group that are in this store. in: ?1 detector, ?2 representative, ?3 limit, ?4 store of the representative,
-- ?5 name of this store; both NULL if there is no other one. out: document.
SELECT document FROM twindex_group_member
WHERE detector = ?1 AND representative = ?2 AND coalesce(representative_shard, ?5) IS ?4 ORDER BY document LIMIT ?3

-- name: shards
-- The stores whose documents a generation of flags refers to, with their number. in: ?1 generation. out: shard, documents.
SELECT shard, count(*) FROM twindex_remote WHERE generation = ?1 GROUP BY shard ORDER BY shard

-- name: signature
-- The signature of a document's text. in: ?1 id. out: signature.
SELECT exact_signature_l FROM document_flags WHERE id = ?1

-- name: similarities
-- Near-duplicates by similarity to their representative, in percent, rounded down. out: percent, documents.
SELECT CAST(similarity * 100 + 1e-9 AS INTEGER) AS percent, count(*) AS documents FROM twindex_group_member
WHERE detector = 'near' AND (document <> representative OR representative_shard IS NOT NULL) AND similarity IS NOT NULL GROUP BY percent ORDER BY percent

-- name: sizes
-- Clusters of the verdict by size. out: documents, clusters.
SELECT documents, count(*) AS clusters FROM duplicate_groups WHERE detector = 'verdict' GROUP BY documents ORDER BY documents

-- name: no_pages
-- Pages without content, with their classes. out: id, class
SELECT id, page_class_s FROM document_flags WHERE error_page_b = 1 ORDER BY id

-- name: titles
-- Titles that shown documents have, in order of their signature. in: ?1 least number of documents. out: signature, documents, first
-- and last of them.
SELECT title_signature_l, count(*) AS documents, min(id), max(id) FROM document_flags
WHERE representative_b = 1 AND title_signature_l IS NOT NULL
GROUP BY title_signature_l HAVING count(*) >= ?1 ORDER BY title_signature_l

-- name: totals
-- Groups per detector. out: detector, groups, copies, largest.
SELECT detector, count(*), sum(documents - 1), max(documents) FROM duplicate_groups GROUP BY detector ORDER BY detector

-- name: runs_compared
-- What two runs were made with. in: ?1 one run, ?2 the other. out: run, started_at, version, settings, documents that it signed.
SELECT run, started_at, version, settings, CASE WHEN json_valid(summary) THEN json_extract(summary, '$.signed') END FROM twindex_run WHERE run IN (?1, ?2)
