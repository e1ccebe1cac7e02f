-- A trigger of the user on one of Twindex's views, which a run drops and makes again. out: name
SELECT name FROM sqlite_schema
WHERE type = 'trigger'
  AND tbl_name IN ('document_flags', 'flagged_documents', 'duplicate_groups', 'document_alternates', 'twindex_group_member')
ORDER BY name LIMIT 1
