-- Groups of a detector with their members, largest first. in: ?1 detector. out: representative, documents, document.
SELECT representative, documents, document FROM twindex_group_member
WHERE detector = ?1 ORDER BY documents DESC, representative, document
