-- Gives a mapped id its number. in: ?1 id.
INSERT INTO twindex_document(id) VALUES (?1)
