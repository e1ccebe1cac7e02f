-- The interface of FTS5. in: ?1 a pointer to where it is stored. out: NULL
SELECT fts5(?1)
