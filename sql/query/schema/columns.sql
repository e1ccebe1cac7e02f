-- Columns of a table in order. in: ?1 table. out: name, place in the primary key (0: not part of it).
SELECT name, pk FROM pragma_table_info(?1)
