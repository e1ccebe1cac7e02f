-- Deletes the flags of a deleted document. in: ?1 doc.
DELETE FROM twindex_flag_{g} WHERE doc = ?1
