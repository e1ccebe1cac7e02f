-- The counts of a generation. in: ?1 generation. out: site, documents.
SELECT site, documents FROM twindex_site WHERE generation = ?1 ORDER BY site
