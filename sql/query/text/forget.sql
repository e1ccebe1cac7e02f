-- The words of a document are found no more. in: ?1 doc
DELETE FROM twindex_text_slot WHERE doc = ?1
