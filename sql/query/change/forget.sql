-- Takes what a run has signed off the queue; later changes stay. in: ?1 mark.
DELETE FROM twindex_change WHERE seq <= ?1
