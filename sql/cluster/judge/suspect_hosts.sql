-- Finds the hosts whose pages all link to one page.
INSERT INTO {db}.w{run}_suspect SELECT host_key, substring(any(claim), length(any(claim)) - 9, 10)
    FROM {db}.w{run}_host_local GROUP BY host_key HAVING count() >= {collapse_min} AND uniqExact(claim) = 1
