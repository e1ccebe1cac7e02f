-- Drops the views of the flags before they are created again, in the transaction that publishes.
DROP VIEW IF EXISTS document_alternates;
DROP VIEW IF EXISTS duplicate_groups;
DROP VIEW IF EXISTS twindex_group_member;
DROP VIEW IF EXISTS document_flags;
