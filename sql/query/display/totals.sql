-- Groups per detector. out: detector, groups, copies, largest.
SELECT detector, count(*), sum(documents - 1), max(documents) FROM duplicate_groups GROUP BY detector ORDER BY detector
