-- Deletes the signature of a deleted document. in: ?1 doc.
DELETE FROM twindex_signature WHERE doc = ?1
