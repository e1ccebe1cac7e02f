-- The pairs of a round that match. out: a, b, rep
SELECT a, b, max(rep) FROM {db}.w{run}_near_ask_local WHERE pass = {pass} AND round = {round}
AND (a, b) IN (SELECT a, b FROM {db}.w{run}_near_pair_local WHERE pass = {pass} AND similarity >= 0) GROUP BY a, b FORMAT RowBinary
