-- The stores whose documents a generation of flags refers to, with their number. in: ?1 generation. out: shard, documents.
SELECT shard, count(*) FROM twindex_remote WHERE generation = ?1 GROUP BY shard ORDER BY shard
