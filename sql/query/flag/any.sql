-- Whether a document has flags in a generation. in: ?1 doc. out: 1; no row: none.
SELECT 1 FROM twindex_flag WHERE doc = ?1 LIMIT 1
