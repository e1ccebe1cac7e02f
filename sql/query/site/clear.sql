-- Deletes the counts of a generation before those of another run are stored. in: ?1 generation.
DELETE FROM twindex_site WHERE generation = ?1
