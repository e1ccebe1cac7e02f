-- SQLite's quick_check of one table. in: ?1 table. out: a line for each finding; ok: none.
SELECT quick_check FROM pragma_quick_check(?1)
