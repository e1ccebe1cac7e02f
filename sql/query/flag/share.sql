-- Lets both generations share the flags that only the other generation has. in: ?1 doc.
UPDATE twindex_flag SET only_in = 0 WHERE doc = ?1 AND only_in = {other}
