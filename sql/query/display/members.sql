-- Some members of one group that are in this store. in: ?1 detector, ?2 representative, ?3 limit, ?4 store of the representative,
-- ?5 name of this store; both NULL if there is no other one. out: document.
SELECT document FROM twindex_group_member
WHERE detector = ?1 AND representative = ?2 AND coalesce(representative_shard, ?5) IS ?4 ORDER BY document LIMIT ?3
