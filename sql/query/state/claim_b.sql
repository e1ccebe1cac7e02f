-- The same for generation b. in: as in claim_a.sql.
UPDATE twindex_state SET token = ?1, run_b = NULL WHERE one = 1 AND generation IS ?2
