-- Records that a generation holds the result of a run of this store alone. in: ?1 generation.
UPDATE twindex_collection SET run_a = CASE ?1 WHEN 'b' THEN run_a END, run_b = CASE ?1 WHEN 'a' THEN run_b END WHERE one = 1
