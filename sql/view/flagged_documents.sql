-- Source columns and flags in one row. A document that was crawled after the last run has NULL flags. It names no column of the source
-- but the id, so that the owner of the store can drop columns.
CREATE VIEW flagged_documents AS
SELECT s.*{flag_names}, f.duplicate_of_shard
FROM ({select}) AS s LEFT JOIN document_flags AS f ON f.id = s.id;
