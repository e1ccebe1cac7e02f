-- Ties each document to the representatives of its groups in the relations of the verdict.
INSERT INTO {db}.w{run}_tie_a
SELECT rank, rep FROM (SELECT uid, rank FROM {db}.w{run}_document_local) AS d
ALL INNER JOIN (SELECT uid, rep
    FROM {db}.w{run}_member_local WHERE bitAnd(bitShiftRight({relations}, relation), 1) = 1 GROUP BY uid, rep) AS m USING uid
WHERE rank != rep
