-- All members of groups, in any order.
SELECT * FROM twindex_group_member
