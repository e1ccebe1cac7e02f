-- The newest change there is. out: seq or NULL.
SELECT max(seq) FROM twindex_change
