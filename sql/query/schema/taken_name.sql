-- A user's object with the name of one of Twindex's views, which read twindex_flag, in older stores twindex_flag_a or _b, or each other. out: name
SELECT name FROM sqlite_schema
WHERE name IN ('document_flags', 'flagged_documents', 'duplicate_groups', 'document_alternates', 'twindex_group_member')
  AND NOT (type = 'view' AND (instr(sql, 'twindex_flag') OR (name = 'duplicate_groups' AND instr(sql, 'twindex_group_member'))
      OR (name = 'flagged_documents' AND instr(sql, 'document_flags AS '))))
ORDER BY name LIMIT 1
