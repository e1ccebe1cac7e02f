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
