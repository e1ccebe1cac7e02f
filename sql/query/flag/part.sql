-- Leaves the flags that both generations have to the other one. in: ?1 doc.
UPDATE OR REPLACE twindex_flag SET only_in = {other} WHERE doc = ?1 AND only_in = 0
