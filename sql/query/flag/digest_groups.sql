-- All group members, in any order.
SELECT detector, representative, document, documents, similarity FROM twindex_group_member
