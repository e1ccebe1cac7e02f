-- Deletes the numbers that no signature and no flag of either generation uses.
DELETE FROM twindex_document
WHERE doc NOT IN (SELECT doc FROM twindex_signature)
  AND doc NOT IN (SELECT doc FROM twindex_flag_a) AND doc NOT IN (SELECT doc FROM twindex_flag_b)
