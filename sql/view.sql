-- name: drop_flag_views
-- Drops the views of the flags before they are created again, in the transaction that publishes.
DROP VIEW IF EXISTS document_alternates;
DROP VIEW IF EXISTS duplicate_groups;
DROP VIEW IF EXISTS twindex_group_member;
DROP VIEW IF EXISTS document_flags;

-- name: drop_flagged_documents
-- Drops the view of source columns and flags. It names no table of Twindex, so it stays while only these change.
DROP VIEW IF EXISTS flagged_documents;

-- name: flag_views
-- The views that users read, over generation {g}. A connection that only reads creates them as TEMP views.

-- One row for each document, with the flags of base/base.h. Judgements are NULL for a document that does not take part.
-- duplicate_of_shard names the store of duplicate_of; NULL: this one.
CREATE{temp} VIEW document_flags AS
SELECT {id} AS id{flags}, {shard} AS duplicate_of_shard
FROM {f};

-- The evidence: one row for each document of this store in each group of two or more. documents counts those of all stores of
-- the collection; representative_shard names the store of the representative; NULL: this one.
CREATE{temp} VIEW twindex_group_member AS
{groups}
SELECT 'verdict', coalesce({representative}, {id}), {id},
    CASE f.cluster_count WHEN 0 THEN coalesce((SELECT z.value FROM twindex_group_count AS z WHERE z.generation = '{g}' AND z.flag = 'cluster_count' AND z.rep = coalesce(f.duplicate_of, f.doc)), 0)
        ELSE f.cluster_count END, NULL, {shard} FROM {f} WHERE f.cluster_count IS NOT NULL;

-- One row for each group whose representative is in this store: its number of documents, and its representative.
CREATE{temp} VIEW duplicate_groups AS
SELECT detector, representative, documents FROM twindex_group_member WHERE document = representative AND representative_shard IS NULL;

-- The other available copies of a document, to which a dead link can be redirected. A document that no longer takes part is
-- matched by its text, and by the cluster that its link refers to.
-- The parts are disjoint, so UNION ALL suffices and a condition on id is pushed into each: equal text; then, of the cluster,
-- its representative, the other copies, and the copies of a representative. Of other stores only the representative is known;
-- alternate_shard names its store.
CREATE{temp} VIEW document_alternates AS
SELECT {<}x.doc{>} AS id, {<}y.doc{>} AS alternate_id, NULL AS alternate_shard
FROM {rows} AS x JOIN {rows} AS y ON y.exact_sig = x.exact_sig
WHERE y.doc <> x.doc AND +y.eligibility = 0
UNION ALL
SELECT {<}x.doc{>}, {<}y.doc{>}, NULL
FROM {rows} AS x JOIN {rows} AS y ON y.doc = x.duplicate_of
WHERE +y.eligibility = 0 AND y.exact_sig IS NOT x.exact_sig
UNION ALL
SELECT {<}x.doc{>}, {<}y.doc{>}, NULL
FROM {rows} AS x JOIN {rows} AS y ON y.duplicate_of = x.duplicate_of
WHERE y.doc <> x.doc AND +y.eligibility = 0 AND y.exact_sig IS NOT x.exact_sig
UNION ALL
SELECT {<}x.doc{>}, {<}y.doc{>}, NULL
FROM {rows} AS x JOIN {rows} AS y ON y.duplicate_of = x.doc
WHERE +y.eligibility = 0 AND y.exact_sig IS NOT x.exact_sig
{alternates};

-- name: flagged_documents
-- Source columns and flags in one row. A document that was crawled after the last run has NULL flags. It names no column of the source
-- but the id, so that the owner of the store can drop columns.
CREATE VIEW flagged_documents AS
SELECT s.*{flag_names}, f.duplicate_of_shard
FROM ({select}) AS s LEFT JOIN document_flags AS f ON f.id = s.id;
