CASE WHEN f.{beside} IS NOT NULL THEN f.{column} IS NULL OR f.{column} = f.doc END AS {flag}
