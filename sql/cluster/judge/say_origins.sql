-- The origins of the domains that have texts of their own (judge/origin.h).
INSERT INTO {db}.w{run}_said
SELECT uid, 4, toUInt64(1 + floor(log2(texts))) FROM (SELECT key, uid FROM {db}.w{run}_asked_local WHERE kind = 5) AS d
ALL INNER JOIN (SELECT key, sum(value) AS texts FROM {db}.w{run}_asked_local WHERE kind = 4 GROUP BY key) AS t USING key
