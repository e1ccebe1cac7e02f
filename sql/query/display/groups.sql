-- Groups of a detector with their members, largest first. in: ?1 detector. out: representative, documents, document, store of the representative or NULL.
SELECT representative, documents, document, representative_shard FROM twindex_group_member
WHERE detector = ?1 ORDER BY documents DESC, representative, representative_shard, document
