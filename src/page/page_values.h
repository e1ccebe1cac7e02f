/* page/page_values.h: the SQL functions that extract document fields from fetched pages,
 * independent of SQLite. They are bound by the reader of a store (store/page_functions.c) and by
 * the extension (ext/ext_pages.c), under the same names and with the same results. What they take
 * from an HTML page is what an import takes from it.
 * [R1] The result depends only on the arguments.
 * [R2] For any input the result is a value or none: crawled bytes never make a statement fail.
 * [R3] A result has at most out->max bytes: text is truncated there; a value that decompresses to
 * more, or a longer URL, gives no result.
 * [R4] Consecutive calls for the same page parse it once, and decompress it once. */
#ifndef TWX_PAGE_PAGE_VALUES_H
#define TWX_PAGE_PAGE_VALUES_H

#include "base/buf.h"

enum { TWX_PAGE_ARGUMENTS_MAX = 2, TWX_PAGE_FUNCTIONS_MAX = 16 };

/* A text is UTF-8; the encoding of a blob is detected as for a fetched page. */
typedef struct twx_page_argument {
    twx_slice bytes;
    bool blob;
} twx_page_argument;

typedef enum twx_page_kind { TWX_PAGE_NONE, TWX_PAGE_TEXT, TWX_PAGE_BLOB } twx_page_kind;

/* The page that was parsed last [R4].
 * Memory: owned handle, NULL at first; one thread at a time. */
typedef struct twx_page_memo twx_page_memo;
void twx_page_memo_close(twx_page_memo *memo);

typedef struct twx_page_call {
    twx_page_memo **memo;
    const twx_page_argument *arguments;
    size_t n; /* arguments */
} twx_page_call;

typedef struct twx_page_function twx_page_function;
struct twx_page_function {
    const char *name;
    size_t least, most; /* arguments */
    /* out: initialised by the caller, empty. Errors TWX_E_NOMEM. */
    twx_rc (*call)(twx_ctx *cx, const twx_page_function *f, const twx_page_call *call, twx_buf *out,
                   twx_page_kind *ret_kind);
    size_t field; /* of page_values.c */
};

/* The functions by index; NULL after the last. */
const twx_page_function *twx_page_function_at(size_t i);
/* By name, ignoring case; NULL: there is none. */
const twx_page_function *twx_page_function_find(const char *name);

#endif
