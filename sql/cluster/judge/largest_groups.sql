-- The largest group of each relation. out: relation, documents
SELECT relation, max(n) FROM {db}.w{run}_result_local ARRAY JOIN relations AS relation, counts AS n GROUP BY relation FORMAT RowBinary
