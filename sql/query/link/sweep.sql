-- Deletes the links of documents that were deleted without a trigger running.
DELETE FROM twindex_link WHERE doc NOT IN (SELECT id FROM documents)
