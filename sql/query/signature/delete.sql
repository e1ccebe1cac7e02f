-- Forgets a document that is gone. in: ?1 doc.
DELETE FROM twindex_signature WHERE doc = ?1
