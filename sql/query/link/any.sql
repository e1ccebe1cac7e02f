-- Whether a document has links. in: ?1 doc. out: 1, or no row.
SELECT 1 FROM twindex_link WHERE doc = ?1 LIMIT 1
