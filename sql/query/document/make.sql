-- Assigns a number to an id. in: ?1 id, ?2 the number, NULL: a new one.
INSERT INTO twindex_document(doc, id) VALUES (?2, ?1)
