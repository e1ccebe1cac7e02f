CASE f.{column} WHEN 1 THEN 'full-layout' WHEN 2 THEN 'full-content'
     WHEN 3 THEN 'partial-layout' WHEN 4 THEN 'partial-content' WHEN 5 THEN 'sibling' END AS {flag}
