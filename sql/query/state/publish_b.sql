-- The same for generation b. in: as in publish_a.sql.
UPDATE twindex_state
SET generation = 'b', run_b = ?3, token = NULL, run_a = CASE WHEN id_kind IS ?4 THEN run_a END, id_kind = ?4, judged = CASE WHEN judged IS NOT NULL THEN ?5 END
WHERE one = 1 AND token = ?1 AND generation IS ?2
