-- Whether a table, view or virtual table has this column. in: ?1 table, ?2 column. out: one row or none.
SELECT 1 FROM pragma_table_xinfo(?1) WHERE name = ?2 COLLATE NOCASE
