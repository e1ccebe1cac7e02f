-- The newest change. out: seq or NULL.
SELECT max(seq) FROM twindex_change
