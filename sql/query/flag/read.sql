-- Flags of a generation, ascending, after a given document. in: ?1 doc, ?2 limit. out: the columns in order.
SELECT doc{columns}
FROM {rows} WHERE doc > ?1 ORDER BY doc LIMIT ?2
