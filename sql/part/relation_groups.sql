SELECT '{relation}' AS detector, {<}f.{relation}_rep{>} AS representative, {id} AS document, f.{relation}_count AS documents, {similarity} AS similarity
FROM {f} WHERE f.{relation}_rep IS NOT NULL
UNION ALL
