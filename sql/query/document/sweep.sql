-- Deletes the numbers of a range that no signature and no flag of either generation uses. in: ?1 after this doc, ?2 up to this one.
DELETE FROM twindex_document
WHERE doc > ?1 AND doc <= ?2 AND doc NOT IN (SELECT doc FROM twindex_signature)
  AND NOT EXISTS (SELECT 1 FROM twindex_flag AS f WHERE f.doc = twindex_document.doc)
