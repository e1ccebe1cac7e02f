-- Brings both together.
INSERT INTO {db}.w{run}_near_flag_local
SELECT uid, similarity, siblings FROM (SELECT uid, similarity FROM {db}.w{run}_near_similar_local) AS n
ANY LEFT JOIN (SELECT uid, siblings FROM {db}.w{run}_near_counted_local) AS c USING uid
