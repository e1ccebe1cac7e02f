-- Counts the groups of copies among near-duplicates, without the document's own.
INSERT INTO {db}.w{run}_near_counted
SELECT member, n - 1 FROM (SELECT groupArray(uid) AS members, uniqExact(copy) AS n FROM {db}.w{run}_near_sibling_local GROUP BY rep) AS s
ARRAY JOIN members AS member
