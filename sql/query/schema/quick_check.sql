-- SQLite's quick_check of one table. in: ?1 table. out: one row per finding, or ok.
SELECT quick_check FROM pragma_quick_check(?1)
