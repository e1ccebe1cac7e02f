-- A flag added after schema version 3 (base/flag_table.h). Its column is NULL until the next run.
ALTER TABLE twindex_flag_{g} ADD COLUMN {column} INTEGER;
