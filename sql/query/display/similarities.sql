-- Near-duplicates by similarity to their representative, in percent, rounded down. out: percent, documents.
SELECT CAST(similarity * 100 + 1e-9 AS INTEGER) AS percent, count(*) AS documents FROM twindex_group_member
WHERE detector = 'near' AND (document <> representative OR representative_shard IS NOT NULL) AND similarity IS NOT NULL GROUP BY percent ORDER BY percent
