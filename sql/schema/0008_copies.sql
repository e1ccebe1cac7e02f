-- Copies and siblings: near-duplicates with the representative's name, and those with another name.
ALTER TABLE twindex_flag_a ADD COLUMN copy_sig INTEGER;      -- number of the cluster; NULL: too few words
ALTER TABLE twindex_flag_a ADD COLUMN copy_count INTEGER;    -- 1: alone; NULL: no near detector was configured
ALTER TABLE twindex_flag_a ADD COLUMN copy_rep INTEGER;
ALTER TABLE twindex_flag_a ADD COLUMN sibling_count INTEGER; -- other names among its near-duplicates
ALTER TABLE twindex_flag_b ADD COLUMN copy_sig INTEGER;
ALTER TABLE twindex_flag_b ADD COLUMN copy_count INTEGER;
ALTER TABLE twindex_flag_b ADD COLUMN copy_rep INTEGER;
ALTER TABLE twindex_flag_b ADD COLUMN sibling_count INTEGER;

UPDATE twindex_state SET schema_version = 3;
