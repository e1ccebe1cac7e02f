-- Whether rows of a generation refer to documents of other stores. in: ?1 generation. out: 0 or 1.
SELECT EXISTS (SELECT 1 FROM twindex_remote WHERE generation = ?1)
