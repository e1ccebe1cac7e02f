-- Flags of one document in both generations: one row or two. in: ?1 doc. out: the columns in order, then only_in.
SELECT doc{columns}, only_in FROM twindex_flag WHERE doc = ?1
