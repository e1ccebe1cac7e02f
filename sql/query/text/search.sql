-- Documents that match a query, in the order of rules. in: ?1 query, ?2 limit. out: doc, cluster, takes part, score, score of the
-- text, then each part of the rules. The cluster is NULL for a document that represents no documents and has no representative.
-- rank/rule_sql.h fills the placeholders, from numbers and names of flags alone: weights of the columns, parts with their names,
-- these names, a condition.
WITH hit AS MATERIALIZED (
    SELECT rowid AS slot, collection_bm25(twindex_text{weights}) + {whole} * whole_title(twindex_text) AS text_score FROM twindex_text WHERE twindex_text MATCH ?1
),
ranked AS (
    SELECT t.doc AS doc, {<}t.doc{>} AS id,
           coalesce(r.eligibility = 0, 0) AS takes_part,
           CASE WHEN r.eligibility = 0 OR r.duplicate_of IS NOT NULL THEN coalesce(r.duplicate_of, r.doc) END AS cluster,
           hit.text_score AS text_score{parts}
    FROM hit
    JOIN twindex_text_slot AS t ON t.slot = hit.slot
    LEFT JOIN {rows} AS r ON r.doc = t.doc
    LEFT JOIN document_flags AS f ON f.id = {<}t.doc{>}
    WHERE {filter}
)
SELECT doc, cluster, takes_part, text_score{sum} AS score, text_score{names} FROM ranked
ORDER BY score DESC, doc IS NOT cluster, id LIMIT ?2
