-- Clusters of the verdict by size. out: documents, clusters.
SELECT documents, count(*) AS clusters FROM duplicate_groups WHERE detector = 'verdict' GROUP BY documents ORDER BY documents
