-- Drops the view of source columns and flags. It names no table of Twindex, so it stays while only these change.
DROP VIEW IF EXISTS flagged_documents;
