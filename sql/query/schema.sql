-- name: columns
-- Columns of a table in order. in: ?1 table. out: name, place in the primary key (0: not part of it).
SELECT name, pk FROM pragma_table_info(?1)

-- name: contentless
-- FTS tables that keep no text. out: name.
SELECT name FROM sqlite_schema
WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%fts%' AND replace(replace(sql, ' ', ''), '"', '''') LIKE '%content=''''%'
ORDER BY name LIMIT 3

-- name: document_triggers
-- The owner's own triggers on documents. out: their names, separated by commas; NULL if there are none.
SELECT group_concat(name, ', ') FROM (SELECT name FROM sqlite_schema
    WHERE type = 'trigger' AND tbl_name = 'documents' COLLATE NOCASE AND substr(name, 1, 8) <> 'twindex_' ORDER BY name)

-- name: false_table
-- A view with the name of one of Twindex's tables: reading it could take forever. out: name
SELECT name FROM sqlite_schema
WHERE substr(name, 1, 8) = 'twindex_' AND type = 'view' AND name <> 'twindex_group_member' ORDER BY name LIMIT 1

-- name: file_shape
-- The shape of the file. out: pages, free pages, bytes of a page
SELECT page_count, freelist_count, page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size

-- name: first_object
-- The type of the first object in SQLite's hash table of the schema, in whose order PRAGMA table_list lists the objects and PRAGMA quick_check visits them.
-- out: 'view', 'table', ...
SELECT type FROM pragma_table_list WHERE schema = 'main' LIMIT 1

-- name: foreign_tables
-- The number of tables that are not Twindex's. out: count
SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 8) <> 'twindex_'

-- name: free_pages
-- Whether each page of the file is either used or free. dbstat walks all tables and indexes. It does not count the pages of an auto-vacuum store's pointer map,
-- so such a store is left out, and the page of the lock bytes, at 1 GiB.
-- out: pages of the file, used pages, free pages; or no row.
SELECT page_count - (page_count * page_size > 1073741824), (SELECT count(*) FROM dbstat), freelist_count
FROM pragma_page_count, pragma_freelist_count, pragma_page_size, pragma_auto_vacuum
WHERE auto_vacuum = 0

-- name: fts_columns
-- Columns of an FTS table with its own content, and where that content is stored. in: ?1 table. out: name, 1 for the first column, column of NAME_content,
-- key of NAME_content.
SELECT v.name, v.cid = 0, c.name, k.name
FROM pragma_table_info(?1) AS v JOIN pragma_table_info(?1 || '_content') AS c ON c.cid = v.cid + 1
JOIN pragma_table_info(?1 || '_content') AS k ON k.cid = 0
ORDER BY v.cid

-- name: has
-- Whether an object of this name exists. in: ?1 name. out: one row or none.
SELECT 1 FROM sqlite_schema WHERE name = ?1

-- name: has_column
-- Whether a table, view or virtual table has this column. in: ?1 table, ?2 column. out: one row or none.
SELECT 1 FROM pragma_table_xinfo(?1) WHERE name = ?2 COLLATE NOCASE

-- name: impure_function
-- Whether the value of an SQL function can depend on more than its arguments: the clock, chance, the connection, or other rows (window functions).
-- SQLite counts its date functions as deterministic, although 'now' is an argument of theirs. in: ?1 name. out: a row if it can.
SELECT 1 WHERE lower(?1) IN ('date', 'time', 'datetime', 'julianday', 'unixepoch', 'strftime', 'timediff')
    OR NOT EXISTS (SELECT 1 FROM pragma_function_list WHERE name = ?1 COLLATE NOCASE AND type = 's' AND flags & 0x800)

-- name: link
-- The column by which one table refers to another: a foreign key, else a name like page_id for pages. in: ?1 table, ?2 the other. out: column,
-- whether an index begins with it.
SELECT name, EXISTS (SELECT 1 FROM pragma_index_list(?1) AS l, pragma_index_info(l.name) AS c
    WHERE l.partial = 0 AND c.seqno = 0 AND c.name = link.name COLLATE NOCASE)
FROM (
    SELECT "from" AS name, 0 AS place FROM pragma_foreign_key_list(?1) WHERE "table" = ?2 COLLATE NOCASE
    UNION ALL
    SELECT name, 1 FROM pragma_table_info(?1)
    WHERE replace(name, '_', '') = replace(?2, '_', '') || 'id' COLLATE NOCASE OR replace(name, '_', '') || 's' = replace(?2, '_', '') || 'ids' COLLATE NOCASE
       OR (substr(?2, -3) = 'ies' COLLATE NOCASE AND replace(name, '_', '') = substr(replace(?2, '_', ''), 1, length(replace(?2, '_', '')) - 3) || 'yid' COLLATE NOCASE)
       OR (substr(?2, -1) = 's' AND replace(name, '_', '') = substr(replace(?2, '_', ''), 1, length(replace(?2, '_', '')) - 1) || 'id' COLLATE NOCASE)
) AS link ORDER BY place LIMIT 1

-- name: other_shape
-- What the table documents lacks to be one that this version of 'twindex init' makes. Further columns may have been added. out: names, nothing if it has all.
WITH wanted(name) AS (VALUES ('id'), ('url'), ('title'), ('description'), ('http_status'), ('failure'), ('robots'), ('canonical_url'), ('redirect_url'),
    ('hreflang_group'), ('language'), ('content_type'), ('fetched_at'), ('score'), ('layout_digest'), ('payload_digest'), ('crawl_id'),
    ('content_digest'), ('headings'), ('names'), ('main_parts'), ('text'))
SELECT 'the column ' || name FROM wanted WHERE name NOT IN (SELECT name FROM pragma_table_info('documents'))
UNION ALL SELECT 'id INTEGER PRIMARY KEY' WHERE NOT EXISTS (
    SELECT 1 FROM pragma_table_info('documents') WHERE name = 'id' AND pk = 1 AND upper(type) = 'INTEGER')
    OR EXISTS (SELECT 1 FROM pragma_table_info('documents') WHERE pk > 1)
    OR NOT EXISTS (SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND name = 'documents' AND type = 'table' AND wr = 0)
UNION ALL SELECT 'url UNIQUE' WHERE NOT EXISTS (SELECT 1 FROM pragma_index_list('documents') AS i WHERE i."unique" AND NOT i.partial
    AND (SELECT group_concat(name) FROM pragma_index_info(i.name)) = 'url')
LIMIT 1

-- name: quick_check
-- SQLite's quick_check of one table. in: ?1 table. out: one row per finding, or ok.
SELECT quick_check FROM pragma_quick_check(?1)

-- name: readable
-- Tables, other than Twindex's, that a mapping can read, FTS tables with their own content, and views. out: name, 0 table, 1 FTS table,
-- 2 view, whether it is WITHOUT ROWID.
SELECT name, CASE type WHEN 'virtual' THEN 1 WHEN 'view' THEN 2 ELSE 0 END, wr FROM pragma_table_list AS t
WHERE schema = 'main' AND substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 8) <> 'twindex_'
  AND name NOT IN ('document_flags', 'flagged_documents', 'duplicate_groups', 'document_alternates')
  AND (type IN ('table', 'view') OR (type = 'virtual' AND EXISTS (SELECT 1 FROM pragma_table_info(t.name || '_content') WHERE cid = 1 AND name LIKE 'c0%')))
ORDER BY type, name

-- name: removals
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

-- name: set_version
-- Records the version of the tables, which a script has just made or brought up to date. in: ?1 version.
INSERT INTO twindex_state(one, schema_version) VALUES (1, ?1) ON CONFLICT(one) DO UPDATE SET schema_version = excluded.schema_version

-- name: stored_tables
-- Everything in the store that has pages to check: tables, including the shadow tables of virtual tables.
-- out: name.
SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') ORDER BY name

-- name: stray
-- In a file without twindex_state: an object with the name of a table that the first run creates. out: name
SELECT name FROM sqlite_schema
WHERE name IN ('twindex_document', 'twindex_signature', 'twindex_fingerprint', 'twindex_flag', 'twindex_group_count', 'twindex_run', 'twindex_site', 'twindex_host_mirror')
ORDER BY name LIMIT 1

-- name: tables
-- Tables other than Twindex's, in order of name. in: ?1 1: FTS tables with their own content, else ordinary tables. out: name, without rowid.
SELECT name, wr FROM pragma_table_list AS t
WHERE schema = 'main' AND substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 8) <> 'twindex_'
  AND CASE WHEN ?1 THEN type = 'virtual' AND EXISTS (SELECT 1 FROM pragma_table_info(t.name || '_content') WHERE cid = 1 AND name LIKE 'c0%')
      ELSE type = 'table' END
ORDER BY name

-- name: taken_name
-- A user's object with the name of one of Twindex's views, which read twindex_flag or each other. out: name
SELECT name FROM sqlite_schema
WHERE name IN ('document_flags', 'flagged_documents', 'duplicate_groups', 'document_alternates', 'twindex_group_member')
  AND NOT (type = 'view' AND (instr(sql, 'twindex_flag') OR (name = 'duplicate_groups' AND instr(sql, 'twindex_group_member'))
      OR (name = 'flagged_documents' AND instr(sql, 'document_flags AS '))))
ORDER BY name LIMIT 1

-- name: version
-- Schema version of Twindex's tables. out: one integer.
SELECT schema_version FROM twindex_state WHERE one = 1

-- name: view_trigger
-- A trigger of the user on one of Twindex's views, which a run drops and makes again. out: name
SELECT name FROM sqlite_schema
WHERE type = 'trigger'
  AND tbl_name IN ('document_flags', 'flagged_documents', 'duplicate_groups', 'document_alternates', 'twindex_group_member')
ORDER BY name LIMIT 1
