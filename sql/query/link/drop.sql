-- Deletes all links of a document. in: ?1 doc.
DELETE FROM twindex_link WHERE doc = ?1
