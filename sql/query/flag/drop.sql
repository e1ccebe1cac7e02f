-- Deletes the flags that this generation alone has. in: ?1 doc.
DELETE FROM twindex_flag WHERE doc = ?1 AND only_in = {own}
