-- The outcome of each link.
INSERT INTO {db}.w{run}_state_local
SELECT uid, if(state != 1, state, if(looped = 1, 4, if(walked = 0, 6, if(best = '', 5, 1)))), if(state = 1 AND walked = 1 AND best != '', best,
    substring(claim, 2))
FROM (
    SELECT uid, state, claim, looped FROM {db}.w{run}_edge_local
    ANY LEFT JOIN (SELECT uid, 1 AS looped FROM {db}.w{run}_loop_local) AS l USING uid
) AS e
ANY LEFT JOIN (SELECT uid, best, 1 AS walked FROM {db}.w{run}_path_{old}_local) AS p USING uid
