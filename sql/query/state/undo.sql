-- Publishes the other generation again if it is complete. in: ?1 generation to publish.
UPDATE twindex_state SET generation = ?1, token = NULL, judged = NULL
WHERE one = 1 AND generation IS NOT ?1 AND CASE ?1 WHEN 'a' THEN run_a ELSE run_b END IS NOT NULL
