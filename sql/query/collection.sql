-- name: alone
-- Records that a generation holds the result of a run of this store alone. in: ?1 generation.
UPDATE twindex_collection SET run_a = CASE ?1 WHEN 'b' THEN run_a END, run_b = CASE ?1 WHEN 'a' THEN run_b END WHERE one = 1

-- name: put
-- Names this store, and records the run over all stores whose result a generation holds. in: ?1 generation, ?2 shard, ?3 run.
INSERT INTO twindex_collection(one, shard, run_a, run_b) VALUES (1, ?2, CASE ?1 WHEN 'a' THEN ?3 END, CASE ?1 WHEN 'b' THEN ?3 END)
ON CONFLICT(one) DO UPDATE SET shard = ?2, run_a = CASE ?1 WHEN 'a' THEN ?3 ELSE run_a END, run_b = CASE ?1 WHEN 'b' THEN ?3 ELSE run_b END

-- name: read
-- The place of this store in the collection. out: shard, run_a, run_b.
SELECT shard, run_a, run_b FROM twindex_collection WHERE one = 1
