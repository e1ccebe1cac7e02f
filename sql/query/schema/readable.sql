-- Tables, other than Twindex's, that a mapping can read, FTS tables with their own content, and views. out: name, 0 table, 1 FTS table,
-- 2 view, whether it is WITHOUT ROWID.
SELECT name, CASE type WHEN 'virtual' THEN 1 WHEN 'view' THEN 2 ELSE 0 END, wr FROM pragma_table_list AS t
WHERE schema = 'main' AND substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 8) <> 'twindex_'
  AND name NOT IN ('document_flags', 'flagged_documents', 'duplicate_groups', 'document_alternates')
  AND (type IN ('table', 'view') OR (type = 'virtual' AND EXISTS (SELECT 1 FROM pragma_table_info(t.name || '_content') WHERE cid = 1 AND name LIKE 'c0%')))
ORDER BY type, name
