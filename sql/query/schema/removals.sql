-- A statement for each object of Twindex, in an order in which each can run: views, triggers on tables of others, the text index, tables. Twindex owns the names
-- that begin with twindex_, and its views, which are recognised by what they read. The tables of FTS5 go with their index. out: statement, type, name
SELECT 'DROP ' || type || ' IF EXISTS "' || replace(name, '"', '""') || '"', type, name
FROM sqlite_schema
WHERE (type IN ('table', 'trigger') AND substr(name, 1, 8) = 'twindex_'
       AND name NOT IN ('twindex_text_data', 'twindex_text_idx', 'twindex_text_content', 'twindex_text_docsize', 'twindex_text_config')
       AND (type = 'table' OR substr(tbl_name, 1, 8) <> 'twindex_'))
   OR (type = 'view' AND name IN ('document_flags', 'flagged_documents', 'duplicate_groups', 'document_alternates', 'twindex_group_member')
       AND (instr(sql, 'twindex_flag_') OR (name = 'duplicate_groups' AND instr(sql, 'twindex_group_member'))
            OR (name = 'flagged_documents' AND instr(sql, 'document_flags AS '))))
ORDER BY type = 'view' DESC, type = 'trigger' DESC, name = 'twindex_text' DESC, name
