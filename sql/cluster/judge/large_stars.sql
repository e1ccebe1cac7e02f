-- Ties the larger neighbours of each document to its smallest one (the large-star of Kiveris et al. 2014).
INSERT INTO {db}.w{run}_tie_b
SELECT v, m FROM (SELECT u, if(min(v) < u, min(v), u) AS m, groupUniqArray(v) AS vs
    FROM {db}.w{run}_both_local GROUP BY u) AS s ARRAY JOIN vs AS v WHERE v > u
