-- How many documents are signed. out: count.
SELECT count(*) FROM twindex_signature
