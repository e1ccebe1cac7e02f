-- Counts. out: ties, documents that have one, checksum of the ties
SELECT count(), uniqExact(a), sum(cityHash64(a, b)) FROM (SELECT a, b FROM {db}.w{run}_tie_a_local GROUP BY a, b) AS t FORMAT TabSeparated
