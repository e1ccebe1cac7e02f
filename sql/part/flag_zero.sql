f.{column} = 0 AS {flag}
