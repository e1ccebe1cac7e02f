-- The number of signed documents. out: count.
SELECT count(*) FROM twindex_signature
