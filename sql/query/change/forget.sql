-- Removes the oldest changes that a run has signed from the queue; later ones stay. in: ?1 mark, ?2 how many at most.
DELETE FROM twindex_change WHERE seq <= min(?1, (SELECT min(seq) FROM twindex_change) + ?2 - 1)
