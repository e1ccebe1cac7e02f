-- A member of a cluster of the verdict whose text differs from the representative's. in: ?1 representative. out: document.
SELECT m.document FROM twindex_group_member AS m JOIN document_flags AS f ON f.id = m.document
WHERE m.detector = 'verdict' AND m.representative = ?1
  AND f.exact_signature_l <> (SELECT r.exact_signature_l FROM document_flags AS r WHERE r.id = ?1)
ORDER BY m.document LIMIT 1
