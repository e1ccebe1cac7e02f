-- Whether an object of this name exists. in: ?1 name. out: one row or none.
SELECT 1 FROM sqlite_schema WHERE name = ?1
