f.{column} AS {flag}
