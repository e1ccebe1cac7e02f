-- What becomes of objects when Twindex is removed. Twindex owns the tables and triggers whose names begin with twindex_, and its views, which are recognised by
-- what they read. Triggers of others on these tables and views go, too. Other views and triggers that name one of them, in any case, as SQL does, stay.
-- out: a statement that drops the object, in an order in which each can run: views, triggers, the text index, tables; NULL: it stays; type; name
WITH own_view(name) AS (
    SELECT name FROM sqlite_schema
    WHERE type = 'view' AND name IN ('document_flags', 'flagged_documents', 'duplicate_groups', 'document_alternates', 'twindex_group_member')
      AND (instr(sql, 'twindex_flag') OR (name = 'duplicate_groups' AND instr(sql, 'twindex_group_member'))
           OR (name = 'flagged_documents' AND instr(sql, 'document_flags AS '))))
SELECT CASE WHEN goes THEN 'DROP ' || type || ' IF EXISTS "' || replace(name, '"', '""') || '"' END, type, name
FROM (SELECT type, name, tbl_name, lower(sql) AS text,
             CASE type
                 WHEN 'view' THEN name IN own_view
                 -- those of Twindex on its own tables, and the tables of FTS5, go with the table
                 WHEN 'trigger' THEN (substr(name, 1, 8) = 'twindex_') <> (substr(tbl_name, 1, 8) = 'twindex_' OR tbl_name IN own_view)
                 WHEN 'table' THEN substr(name, 1, 8) = 'twindex_'
                     AND name NOT IN ('twindex_text_data', 'twindex_text_idx', 'twindex_text_content', 'twindex_text_docsize', 'twindex_text_config')
             END AS goes
      FROM sqlite_schema)
WHERE goes
   OR (type IN ('view', 'trigger') AND substr(tbl_name, 1, 8) <> 'twindex_' AND (instr(text, 'twindex_') OR instr(text, 'document_flags')
       OR instr(text, 'flagged_documents') OR instr(text, 'duplicate_groups') OR instr(text, 'document_alternates')))
ORDER BY type = 'view' DESC, type = 'trigger' DESC, name = 'twindex_text' DESC, name
