/* page/page_values.h: the SQL functions that extract document fields from fetched pages,
 * independent of SQLite. They are bound by the reader of a store (store/page_functions.c) and by
 * the extension (ext/ext_pages.c), under the same names and with the same results.
 * [R1] The result depends only on the arguments.
 * [R2] For any input the result is a value or none: crawled bytes never make a statement fail.
 * [R3] A result has at most out->max bytes: text is truncated there; a value that decompresses to
 * more, or a longer URL, gives no result. */
#ifndef TWX_PAGE_PAGE_VALUES_H
#define TWX_PAGE_PAGE_VALUES_H

#include "base/buf.h"

enum { TWX_PAGE_ARGUMENTS_MAX = 2 };

/* A text is UTF-8; the encoding of a blob is detected as for a fetched page. */
typedef struct twx_page_argument {
    twx_slice bytes;
    bool blob;
} twx_page_argument;

typedef enum twx_page_kind { TWX_PAGE_NONE, TWX_PAGE_TEXT, TWX_PAGE_BLOB } twx_page_kind;

/* out: initialised by the caller, empty. Errors TWX_E_NOMEM. */
typedef twx_rc twx_page_value_fn(twx_ctx *cx, const twx_page_argument *arguments, twx_buf *out,
                                 twx_page_kind *ret_kind);

typedef struct twx_page_function {
    const char *name;
    int arguments;
    twx_page_value_fn *call;
} twx_page_function;

/* The functions by index; NULL after the last. */
const twx_page_function *twx_page_function_at(size_t i);
/* By name, ignoring case; NULL: there is none. */
const twx_page_function *twx_page_function_find(const char *name);

#endif
