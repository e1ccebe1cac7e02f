-- Removes the changes that a run has signed from the queue; later ones stay. in: ?1 mark.
DELETE FROM twindex_change WHERE seq <= ?1
