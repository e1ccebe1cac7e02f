/* page/page_values.h: the SQL functions that make documents of fetched pages, without SQL: what
 * each gives for its arguments. The reader of a store (store/page_functions.c) and the extension
 * (ext/ext_pages.c) bind them; both have the same names and results.
 * [R1] The result depends on the arguments alone. [R2] Whatever the bytes are, the result is a
 * value or none: crawled bytes never end a statement with an error. [R3] A result has at most
 * out->max bytes; text is cut there; what unpacks to more, and a longer URL, is none. */
#ifndef TWX_PAGE_PAGE_VALUES_H
#define TWX_PAGE_PAGE_VALUES_H

#include "base/buf.h"

enum { TWX_PAGE_ARGUMENTS_MAX = 2 };

/* A text is UTF-8; the encoding of a blob is found as for a fetched page. */
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

/* The functions by number; NULL after the last. */
const twx_page_function *twx_page_function_at(size_t i);
/* By name, in any case; NULL: none has it. */
const twx_page_function *twx_page_function_find(const char *name);

#endif
