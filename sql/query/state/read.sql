-- The state of the store. out: generation, run_a, run_b, token, fingerprint, id_kind.
SELECT generation, run_a, run_b, token, fingerprint, id_kind FROM twindex_state WHERE one = 1
