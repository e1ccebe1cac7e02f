-- Forgets all mirrors, before others are put in their place.
DELETE FROM twindex_host_mirror
