{<}f.{column}{>} AS {flag}
