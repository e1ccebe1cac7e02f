-- name: put
-- Records a result that is ready to be published. in: ?1 to ?8 as in read.sql.
INSERT OR REPLACE INTO twindex_prepared(one, token, base, run, judgement, shard, documents, digest, summary)
VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)

-- name: read
-- The result that is ready to be published. out: token, base or NULL, run, judgement, shard, documents, digest, summary.
SELECT token, base, run, judgement, shard, documents, digest, summary FROM twindex_prepared WHERE one = 1
