-- Numbers nobody uses any more: neither a signature nor a flag of either generation.
DELETE FROM twindex_document
WHERE doc NOT IN (SELECT doc FROM twindex_signature)
  AND doc NOT IN (SELECT doc FROM twindex_flag_a) AND doc NOT IN (SELECT doc FROM twindex_flag_b)
