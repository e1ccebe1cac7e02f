-- Notes that a store has published a run. in: ?1 run, ?2 shard, ?3 published_at.
UPDATE twindex_vote SET published_at = ?3 WHERE run = ?1 AND shard = ?2
