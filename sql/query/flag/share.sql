-- Makes the flags that only the other generation has those of both, if they are these. in: the columns in order.
UPDATE twindex_flag SET only_in = 0 WHERE doc = ?1 AND only_in = {other} AND (0{columns}) IS (0{parameters})
