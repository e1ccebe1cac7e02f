-- Number of a mapped id. in: ?1 id. out: doc.
SELECT doc FROM twindex_document WHERE id = ?1
