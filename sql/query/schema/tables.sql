-- Tables other than Twindex's, in order of name. in: ?1 1: FTS tables with their own content, else ordinary tables. out: name, without rowid.
SELECT name, wr FROM pragma_table_list AS t
WHERE schema = 'main' AND substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 8) <> 'twindex_'
  AND CASE WHEN ?1 THEN type = 'virtual' AND EXISTS (SELECT 1 FROM pragma_table_info(t.name || '_content') WHERE cid = 1 AND name LIKE 'c0%')
      ELSE type = 'table' END
ORDER BY name
