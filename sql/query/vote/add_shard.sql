-- Adds a store that a run has judged. in: ?1 run, ?2 shard.
INSERT INTO twindex_vote(run, shard) VALUES (?1, ?2) ON CONFLICT DO NOTHING
