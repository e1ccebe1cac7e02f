-- Objects of others that name one of Twindex's tables or views, and so cannot be used without it. out: type, name
SELECT type, name FROM sqlite_schema
WHERE type IN ('view', 'trigger') AND substr(name, 1, 8) <> 'twindex_' AND substr(tbl_name, 1, 8) <> 'twindex_'
  AND name NOT IN ('document_flags', 'flagged_documents', 'duplicate_groups', 'document_alternates')
  AND (instr(sql, 'twindex_') OR instr(sql, 'document_flags') OR instr(sql, 'flagged_documents') OR instr(sql, 'duplicate_groups')
       OR instr(sql, 'document_alternates'))
ORDER BY type, name
