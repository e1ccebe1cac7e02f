-- All flags of document_flags, in any order.
SELECT * FROM document_flags
