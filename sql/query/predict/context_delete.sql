-- in: ?1 context.
DELETE FROM twindex_url_hypothesis WHERE context = ?1
