-- Removes a document from the results of searches. in: ?1 doc
DELETE FROM twindex_text_slot WHERE doc = ?1
