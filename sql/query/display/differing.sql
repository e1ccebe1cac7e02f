-- A member of a cluster of the verdict whose text differs from the representative's. in: ?1 representative, ?2 its store, ?3 signature of its
-- text, ?4 name of this store; both names are NULL if there is no other store. out: document.
SELECT m.document FROM twindex_group_member AS m JOIN document_flags AS f ON f.id = m.document
WHERE m.detector = 'verdict' AND m.representative = ?1 AND coalesce(m.representative_shard, ?4) IS ?2 AND f.exact_signature_l <> ?3
ORDER BY m.document LIMIT 1
