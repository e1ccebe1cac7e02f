-- Flags of one document. in: ?1 doc. out: the columns in order.
SELECT doc{columns}
FROM {rows} WHERE doc = ?1
