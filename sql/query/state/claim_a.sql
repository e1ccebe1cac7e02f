-- Claims the right to write generation a for a run and marks it incomplete. in: ?1 token, ?2 published generation or NULL.
UPDATE twindex_state SET token = ?1, run_a = NULL WHERE one = 1 AND generation IS ?2
