-- Deletes all mirrors before new ones are stored.
DELETE FROM twindex_host_mirror
