-- The shape of the file. out: pages, free pages, bytes of a page
SELECT page_count, freelist_count, page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size
