-- Flags of a generation, ascending, after a given document. Another program may have stored numbers that are texts; they would be read
-- as 0. in: ?1 doc, ?2 limit. out: the columns in order.
SELECT doc{columns}
FROM {rows} WHERE doc > ?1 AND typeof(doc) = 'integer' ORDER BY doc LIMIT ?2
