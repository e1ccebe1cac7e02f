-- All flags as users see them, in any order.
SELECT * FROM document_flags
