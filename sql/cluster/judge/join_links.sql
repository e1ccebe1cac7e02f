-- Finds the target of each link: of several documents with one URL, the best one that takes part, else the best one. Links to another domain do not count.
INSERT INTO {db}.w{run}_edge
SELECT uid, host_key, if(best = '', 2, if(home = domain_key, 1, 3)), best
FROM {db}.w{run}_link_local
ANY LEFT JOIN (SELECT url_key AS link_key, min(claim) AS best, argMin(domain_key, claim) AS home
    FROM {db}.w{run}_claim_local GROUP BY url_key) AS c USING link_key
