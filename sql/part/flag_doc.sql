{representative} AS {flag}
