CASE f.{column} WHEN 0 THEN f.{beside} ELSE f.{column} END AS {flag}
