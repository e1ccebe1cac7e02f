-- What the table documents lacks to be one that 'twindex init' made. Further columns may have been added. out: names, nothing if it has all.
WITH wanted(name) AS (VALUES ('id'), ('url'), ('title'), ('description'), ('http_status'), ('failure'), ('robots'), ('canonical_url'), ('redirect_url'),
    ('hreflang_group'), ('language'), ('content_type'), ('fetched_at'), ('score'), ('layout_digest'), ('payload_digest'), ('crawl_id'),
    ('content_digest'), ('text'))
SELECT 'the column ' || name FROM wanted WHERE name NOT IN (SELECT name FROM pragma_table_info('documents'))
UNION ALL SELECT 'id INTEGER PRIMARY KEY' WHERE NOT EXISTS (
    SELECT 1 FROM pragma_table_info('documents') WHERE name = 'id' AND pk = 1 AND upper(type) = 'INTEGER')
    OR EXISTS (SELECT 1 FROM pragma_table_info('documents') WHERE pk > 1)
    OR NOT EXISTS (SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND name = 'documents' AND type = 'table' AND wr = 0)
UNION ALL SELECT 'url UNIQUE' WHERE NOT EXISTS (SELECT 1 FROM pragma_index_list('documents') AS i WHERE i."unique" AND NOT i.partial
    AND (SELECT group_concat(name) FROM pragma_index_info(i.name)) = 'url')
LIMIT 1
