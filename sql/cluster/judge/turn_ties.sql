-- Sends each tie to the nodes of both ends.
INSERT INTO {db}.w{run}_both SELECT if(way = 0, a, b), if(way = 0, b, a) FROM (SELECT a, b
    FROM {db}.w{run}_tie_a_local GROUP BY a, b) AS t ARRAY JOIN [0, 1] AS way
