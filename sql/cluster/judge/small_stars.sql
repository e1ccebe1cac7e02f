-- Ties the smaller neighbours of each document, and itself, to the smallest one (small-star).
INSERT INTO {db}.w{run}_tie_a
SELECT x, m FROM (SELECT min(b) AS m, arrayConcat(groupUniqArray(b), [a]) AS xs
    FROM {db}.w{run}_tie_b_local GROUP BY a) AS s ARRAY JOIN xs AS x WHERE x != m
