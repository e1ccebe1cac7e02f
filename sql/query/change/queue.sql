-- Queues a changed document. in: ?1 doc.
INSERT INTO twindex_change(doc) VALUES (?1)
