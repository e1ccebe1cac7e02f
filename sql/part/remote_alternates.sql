UNION ALL
SELECT {<}x.doc{>}, r.id, r.shard
FROM {rows} AS x JOIN twindex_remote AS r ON r.generation = '{g}' AND r.doc = x.duplicate_of
