-- Columns of an FTS table with its own content, and where that content is stored. in: ?1 table. out: name, 1 for the first column, column of NAME_content,
-- key of NAME_content.
SELECT v.name, v.cid = 0, c.name, k.name
FROM pragma_table_info(?1) AS v JOIN pragma_table_info(?1 || '_content') AS c ON c.cid = v.cid + 1
JOIN pragma_table_info(?1 || '_content') AS k ON k.cid = 0
ORDER BY v.cid
