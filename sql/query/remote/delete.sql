-- Deletes a document that no row refers to any more. in: ?1 generation, ?2 doc.
DELETE FROM twindex_remote WHERE generation = ?1 AND doc = ?2
