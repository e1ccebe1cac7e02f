-- The sites of which more than a share of the documents are hidden. out: site, documents, hidden, texts that other sites show, the site that shows most
SELECT site, n, lost, shown, home FROM (SELECT site, sumIf(documents, eligibility = 0) AS n, sum(hidden) AS lost
    FROM {db}.w{run}_site_local GROUP BY site HAVING n >= {base} AND lost * 1000000 > n * {cap}) AS s
ANY LEFT JOIN (SELECT site, sum(found) AS shown, argMax(main, docs) AS home FROM (SELECT site, main, sum(texts) AS found, sum(documents) AS docs
    FROM {db}.w{run}_elsewhere_local GROUP BY site, main) AS m GROUP BY site) AS e USING site ORDER BY site FORMAT RowBinary
