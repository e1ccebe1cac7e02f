CASE f.eligibility WHEN 0 THEN coalesce(f.{column}, 1) END AS {flag}
