-- Publishes generation a as the complete result of a run. If ids are numbered in another way than before,
-- the other generation becomes invalid. in: ?1 token, ?2 generation published until now or NULL, ?3 run, ?4 id_kind,
-- ?5 fingerprint of the settings it was judged with; not stored if signatures or flags have changed since judging.sql.
UPDATE twindex_state
SET generation = 'a', run_a = ?3, token = NULL, run_b = CASE WHEN id_kind IS ?4 THEN run_b END, id_kind = ?4, judged = CASE WHEN judged IS NOT NULL THEN ?5 END
WHERE one = 1 AND token = ?1 AND generation IS ?2
