-- Whether each page of the file is either used or free. dbstat walks all tables and indexes. It does not count the pages of an auto-vacuum store's pointer map,
-- so such a store is left out, and the page of the lock bytes, at 1 GiB.
-- out: pages of the file, used pages, free pages; or no row.
SELECT page_count - (page_count * page_size > 1073741824), (SELECT count(*) FROM dbstat), freelist_count
FROM pragma_page_count, pragma_freelist_count, pragma_page_size, pragma_auto_vacuum
WHERE auto_vacuum = 0
