-- Some members of one group, whose representative is in this store. in: ?1 detector, ?2 representative, ?3 limit. out: document.
SELECT document FROM twindex_group_member WHERE detector = ?1 AND representative = ?2 AND representative_shard IS NULL ORDER BY document LIMIT ?3
