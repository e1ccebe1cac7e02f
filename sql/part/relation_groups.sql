SELECT '{relation}' AS detector, {representative} AS representative, {id} AS document, f.{relation}_count AS documents, {similarity} AS similarity, {shard} AS representative_shard
FROM {f} WHERE f.{relation}_rep IS NOT NULL
UNION ALL
