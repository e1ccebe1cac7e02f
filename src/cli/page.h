/* cli/page.h: a page of text that is being written. The first failure stays in rc and later output
 * is dropped, so callers need not check each line.
 * Memory: embedded struct, bytes owned. */
#ifndef TWX_CLI_PAGE_H
#define TWX_CLI_PAGE_H

#include "base/buf.h"

typedef struct twx_page {
    twx_ctx *cx;
    twx_rc rc;
    twx_buf text;
} twx_page;

enum { TWX_PAGE_BYTES = 1 << 18, TWX_PAGE_COLUMNS = 79 };

#define TWX_PAGE_PUT(page, ...)                                                  \
    do {                                                                         \
        if ((page)->rc == TWX_OK)                                                \
            (page)->rc = twx_buf_printf((page)->cx, &(page)->text, __VA_ARGS__); \
    } while (0)

/* Writes the words of text[0..n) in indented lines of at most TWX_PAGE_COLUMNS; `column` is the
 * current column of the page. */
void twx_page_wrap(twx_page *page, const char *text, size_t n, size_t indent, size_t column);
/* Calls `paragraph` or `literal` for each part of a description; parts are separated by empty
 * lines, and a part that begins with a blank is literal: its lines are kept as they are. */
typedef void twx_page_part_fn(twx_page *page, const char *text, size_t n);
void twx_page_parts(twx_page *page, const char *text, twx_page_part_fn *paragraph,
                    twx_page_part_fn *literal);

#endif
