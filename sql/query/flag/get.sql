-- Flags of one document. in: ?1 doc. out: the columns in order.
SELECT doc{columns}
FROM twindex_flag_{g} WHERE doc = ?1
