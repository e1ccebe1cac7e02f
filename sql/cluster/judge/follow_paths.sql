-- Doubles the length of each path; it has ended if its goal has no path of its own.
INSERT INTO {db}.w{run}_path_{new}
SELECT uid, if(found = 1, goal2, ask), if(found = 1 AND best2 != '', best2, best), if(found = 1, done2, 1)
FROM {db}.w{run}_ask_local
ANY LEFT JOIN (SELECT uid AS ask, goal AS goal2, best AS best2, done AS done2, 1 AS found FROM {db}.w{run}_path_{old}_local) AS p USING ask
