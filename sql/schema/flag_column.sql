-- A flag added after schema version 5 (base/flag_table.h). Its column is NULL until the next run.
ALTER TABLE twindex_flag ADD COLUMN {column} INTEGER;
