-- Creates a slot for a document. in: ?1 doc, ?2 hash of title and text
INSERT INTO twindex_text_slot(doc, hash) VALUES (?1, ?2)
