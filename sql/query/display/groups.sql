-- Groups of a detector with their members, largest first. in: ?1 detector, ?2 name of this store, NULL: it has no name.
-- out: representative, documents, document, store of the representative.
SELECT representative, documents, document, coalesce(representative_shard, ?2) AS home FROM twindex_group_member
WHERE detector = ?1 ORDER BY documents DESC, representative, home, document
