CASE f.eligibility WHEN 0 THEN f.{column} IS NULL END AS {flag}
