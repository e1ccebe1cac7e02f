/* cli/page.h: a page of text as it grows. The first failure stays in rc and the rest is dropped, so
 * that writing a page is a list of lines.
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

/* A paragraph: the words of text[0..n) in lines of at most TWX_PAGE_COLUMNS, indented; `column` is
 * where the page stands. */
void twx_page_wrap(twx_page *page, const char *text, size_t n, size_t indent, size_t column);
/* Calls `literal` or `paragraph` with each part of a description (command_table.h). */
typedef void twx_page_part_fn(twx_page *page, const char *text, size_t n);
void twx_page_parts(twx_page *page, const char *text, twx_page_part_fn *paragraph,
                    twx_page_part_fn *literal);

#endif
