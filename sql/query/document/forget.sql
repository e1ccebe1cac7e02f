-- Drops the number of a document that is gone. in: ?1 doc.
DELETE FROM twindex_document WHERE doc = ?1
