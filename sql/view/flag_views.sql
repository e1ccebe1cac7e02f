-- The views that users read, over generation {g}. A connection that only reads creates them as TEMP views.

-- One row for each document, with the flags of base/flag_table.h. Judgements are NULL for a document that does not take part.
CREATE{temp} VIEW document_flags AS
SELECT {id} AS id{flags}
FROM {f};

-- The evidence: one row for each document of each group of two or more.
CREATE{temp} VIEW twindex_group_member AS
{groups}
SELECT 'verdict', {<}coalesce(f.duplicate_of, f.doc){>}, {id}, f.cluster_count, NULL FROM {f} WHERE f.cluster_count IS NOT NULL;

-- One row for each group: its number of documents and its representative.
CREATE{temp} VIEW duplicate_groups AS
SELECT detector, representative, documents FROM twindex_group_member WHERE document = representative;

-- The other available copies of a document, to which a dead link can be redirected. A document that no longer takes part is
-- matched by its text, and by the cluster that its link refers to.
-- The parts are disjoint, so UNION ALL suffices and a condition on id is pushed into each: equal text; then, of the cluster,
-- its representative, the other copies, and the copies of a representative.
CREATE{temp} VIEW document_alternates AS
SELECT {<}x.doc{>} AS id, {<}y.doc{>} AS alternate_id
FROM twindex_flag_{g} AS x JOIN twindex_flag_{g} AS y ON y.exact_sig = x.exact_sig
WHERE y.doc <> x.doc AND +y.eligibility = 0
UNION ALL
SELECT {<}x.doc{>}, {<}y.doc{>}
FROM twindex_flag_{g} AS x JOIN twindex_flag_{g} AS y ON y.doc = x.duplicate_of
WHERE +y.eligibility = 0 AND y.exact_sig IS NOT x.exact_sig
UNION ALL
SELECT {<}x.doc{>}, {<}y.doc{>}
FROM twindex_flag_{g} AS x JOIN twindex_flag_{g} AS y ON y.duplicate_of = x.duplicate_of
WHERE y.doc <> x.doc AND +y.eligibility = 0 AND y.exact_sig IS NOT x.exact_sig
UNION ALL
SELECT {<}x.doc{>}, {<}y.doc{>}
FROM twindex_flag_{g} AS x JOIN twindex_flag_{g} AS y ON y.duplicate_of = x.doc
WHERE +y.eligibility = 0 AND y.exact_sig IS NOT x.exact_sig;
