-- The sites of run {base} that have fewer documents now. out: site, documents then and now, kinds of eligibility and documents of each
SELECT site, was, n, kinds, counts FROM (SELECT site, sumIf(documents, eligibility = 0) AS was FROM {db}.w{base}_site_local GROUP BY site) AS b
ANY LEFT JOIN (SELECT site, sumIf(docs, eligibility = 0) AS n, groupArray(eligibility) AS kinds, groupArray(docs) AS counts
    FROM (SELECT site, eligibility, sum(documents) AS docs FROM {db}.w{run}_site_local GROUP BY site, eligibility) AS k GROUP BY site) AS a USING site
WHERE n < was ORDER BY site FORMAT RowBinary
