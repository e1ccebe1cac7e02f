-- The id of a number. in: ?1 doc. out: id.
SELECT id FROM twindex_document WHERE doc = ?1
