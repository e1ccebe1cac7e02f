-- Points at the other generation if it is whole. in: ?1 generation to point at.
UPDATE twindex_state SET generation = ?1, token = NULL
WHERE one = 1 AND generation IS NOT ?1 AND CASE ?1 WHEN 'a' THEN run_a ELSE run_b END IS NOT NULL
