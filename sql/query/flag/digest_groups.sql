-- All group members, in any order.
SELECT * FROM twindex_group_member
