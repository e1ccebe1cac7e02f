CASE f.eligibility WHEN 0 THEN f.{column} IS NULL OR f.{column} = f.doc END AS {flag}
