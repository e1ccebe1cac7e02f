-- name: add_language
-- Words of this language are in the index from now on. Writes nothing if there were some before. in: ?1 its bit
UPDATE twindex_text_state SET languages = languages | ?1 WHERE id = 1 AND languages & ?1 = 0

-- name: api
-- The interface of FTS5. in: ?1 a pointer to where it is stored. out: NULL
SELECT fts5(?1)

-- name: begin
-- A new text index was made by these terms. in: ?1 fingerprint
INSERT INTO twindex_text_state(id, fingerprint) VALUES (1, ?1)

-- name: clear
-- Removes the document from the in-memory index for snippets.
DELETE FROM twindex_text

-- name: count
-- The number of indexed documents, and of slots ever used. out: documents, slots
SELECT count(*), coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'twindex_text_slot'), 0) FROM twindex_text_slot

-- name: forget
-- Removes a document from the results of searches. in: ?1 doc
DELETE FROM twindex_text_slot WHERE doc = ?1

-- name: merge
-- Merges segments of the text index until so many pages are written, if a level has eight segments or a merge is not finished.
-- in: ?1 pages
INSERT INTO twindex_text(twindex_text, rank) VALUES ('merge', ?1)

-- name: phrases
-- Counts the documents that have each phrase of a query (store/text_index.c). in: ?1 an expression that matches what has any of them. out: nothing, in at
-- most one row.
SELECT text_statistics(twindex_text) FROM twindex_text WHERE twindex_text MATCH ?1 LIMIT 1

-- name: put
-- Indexes the words of a new slot. in: ?1 slot, ?2 title, ?3 text
INSERT INTO twindex_text(rowid, title, text) VALUES (?1, ?2, ?3)

-- name: search
-- Documents that match a query, in the order of rules. in: ?1 query, ?2 limit. out: doc, cluster, takes part, score, score of the
-- text, then each part of the rules; of two files of rules those of both, and whether the first and the second filter lets the
-- document pass. The cluster is NULL for a document that represents no documents and has no representative.
-- store/text_index.c fills the placeholders, from numbers and names of flags alone: weights of the columns, parts with their
-- names, these names, a condition. A hit is scored and joined once, as FTS5 finds it: LIMIT -1 keeps SQLite from merging the two
-- queries, and without LIMIT at the end it sorts instead of keeping a tree.
WITH hit AS (
    SELECT rowid AS slot, collection_bm25(twindex_text{weights}) + {whole} * whole_title(twindex_text) AS text_score FROM twindex_text WHERE twindex_text MATCH ?1
    LIMIT -1
),
ranked AS (
    SELECT t.doc AS doc, {<}t.doc{>} AS id,
           coalesce({r}.indexable_b, 0) AS takes_part,
           CASE WHEN {r}.indexable_b OR {r}.duplicate_of IS NOT NULL THEN coalesce({r}.duplicate_of, {r}.id) END AS cluster,
           hit.text_score AS text_score{parts}
    FROM hit
    CROSS JOIN twindex_text_slot AS t ON t.slot = hit.slot
    {numbers}LEFT JOIN document_flags AS f ON f.id = {<}t.doc{>}
    WHERE {filter}
)
SELECT doc, cluster, takes_part, text_score{sum} AS score, text_score{names} FROM ranked
{order}

-- name: slot
-- Creates a slot for a document. in: ?1 doc, ?2 hash of title and text
INSERT INTO twindex_text_slot(doc, hash) VALUES (?1, ?2)

-- name: slots
-- All indexed documents, in batches. in: ?1 the last slot seen, ?2 limit. out: slot, doc, hash
SELECT slot, doc, hash FROM twindex_text_slot WHERE slot > ?1 ORDER BY slot LIMIT ?2

-- name: snippet
-- Title and best passage of the document in memory, with marks around the matches. in: ?1 query, ?2 mark before, ?3 mark
-- after, ?4 words. out: title, snippet
SELECT highlight(twindex_text, 0, ?2, ?3), snippet(twindex_text, 1, ?2, ?3, '...', ?4) FROM twindex_text WHERE twindex_text MATCH ?1

-- name: state
-- What the text index was made by. out: fingerprint, languages
SELECT fingerprint, languages FROM twindex_text_state WHERE id = 1

-- name: totals
-- Counts the documents and words of the index (store/text_index.c). in: nothing. out: nothing, in at most one row.
SELECT text_statistics(twindex_text) FROM twindex_text LIMIT 1
