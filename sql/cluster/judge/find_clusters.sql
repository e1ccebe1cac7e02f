-- Counts the clusters and sends them to the nodes of their documents.
INSERT INTO {db}.w{run}_cluster
SELECT substring(x, length(x) - 9, 10), b, n FROM (SELECT b, arrayConcat(groupArray(a), [b]) AS xs, count() + 1 AS n
    FROM {db}.w{run}_star_local GROUP BY b) AS s ARRAY JOIN xs AS x
