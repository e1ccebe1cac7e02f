-- Sends the undecided texts after the first ones that are left out to their nodes.
INSERT INTO {db}.w{run}_near_blocked
SELECT {round}, text FROM (SELECT bucket, text, rank FROM {db}.w{run}_near_open_local WHERE round = {round} AND state = 0) AS o
ALL INNER JOIN (SELECT bucket, any(bound) AS bound1 FROM {db}.w{run}_near_first_local WHERE round = {round} AND bound != '' GROUP BY bucket) AS f USING bucket
WHERE rank >= bound1 GROUP BY text
