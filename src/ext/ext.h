/* ext/ext.h: the SQLite extension. */
#ifndef TWX_EXT_EXT_H
#define TWX_EXT_EXT_H

#include <sqlite3ext.h>

#include "page/page.h"
#include "sign/sign.h"

/* ext_call.c: the environment of an SQL function of the extension: the state of its connection,
 * its arguments, its result.
 *
 * sqlite3ext.h turns each sqlite3_* call into one through a table that SQLite passes at load time,
 * so files of this folder never bind to a library. With SQLITE_CORE defined they bind to it, which
 * tests use.
 * [R1] A NULL argument gives NULL, except for functions that declare otherwise.
 * [R2] An error is an SQL error that begins with the function's name.
 * [R3] A result depends on the arguments alone, except for functions that are not marked
 * deterministic. */

#ifndef SQLITE_CORE
extern const sqlite3_api_routines *sqlite3_api; /* set once, at load time */
#endif

typedef struct twx_ext_call twx_ext_call;

/* TWX_OK: a result was set. TWX_DONE: the result is NULL. Otherwise an error, with its message in
 * the context. */
typedef twx_rc twx_ext_fn(twx_ext_call *call);

typedef enum twx_ext_trait {
    TWX_EXT_PURE = 1,       /* the same arguments give the same result */
    TWX_EXT_DIRECT_ONLY = 2 /* regardless of the connection's configuration */
} twx_ext_trait;

/* A row of the registration table. */
typedef struct twx_ext_function {
    const char *name, *arguments; /* "text[, min_token_len]" */
    int least, most;              /* arguments */
    unsigned traits;              /* bits of twx_ext_trait */
    twx_ext_fn *call;
    const twx_detector *detector; /* whose signature it computes or compares; NULL: none */
    const char *help;             /* one line */
} twx_ext_function;

/* The rows by index; NULL after the last. */
typedef const twx_ext_function *twx_ext_functions_fn(size_t i);

typedef struct twx_ext_model twx_ext_model; /* ext_predict.c */

/* The state of a connection, shared by its functions; the last one to be unregistered frees it. */
typedef struct twx_ext {
    twx_ctx cx;
    sqlite3 *db;                /* borrowed */
    size_t users;               /* registered functions, plus one during registration */
    bool busy;                  /* a function is running: what it borrowed must stay valid */
    bool indirect;              /* schemas may call functions that are not TWX_EXT_DIRECT_ONLY */
    twx_params params;          /* the defaults, as in a run */
    twx_arena scratch;          /* reset after each call */
    twx_workspace *workspace;   /* NULL until first used */
    twx_similarity *similarity; /* the same */
    twx_page_memo *page;        /* the same */
    twx_ext_model *model;       /* the same; freed by close_model */
    void (*close_model)(twx_ext_model *model);
    twx_ext_functions_fn *function_at;
} twx_ext;

struct twx_ext_call {
    twx_ext *ext;
    const twx_ext_function *function;
    sqlite3_context *context;
    sqlite3_value **values;
    int n;
};

/* Registers every function of a table. faults: for tests, else NULL. Returns a code of SQLite. */
int twx_ext_bind_all(sqlite3 *db, twx_ext_functions_fn *function_at, twx_faults *faults);
/* Registers the functions again so that schemas may call them. */
int twx_ext_allow_indirect(twx_ext *x);

/* Arguments, i from 0; those after the last count as absent. Memory: borrowed until the call ends.
 * Errors TWX_E_USAGE (wrong type, out of range), TWX_E_NOMEM */
bool twx_ext_is_blob(const twx_ext_call *call, int i);
/* a text as UTF-8, or a blob unchanged */
TWX_CHECK twx_rc twx_ext_bytes(twx_ext_call *call, int i, twx_slice *ret_bytes);
TWX_CHECK twx_rc twx_ext_integer(twx_ext_call *call, int i, int64_t *ret_value);
/* A number of 0..1 in millionths. */
TWX_CHECK twx_rc twx_ext_share(twx_ext_call *call, int i, uint32_t *ret_ppm);

/* Results; bytes are copied. These return TWX_OK, so that a function can end with them. */
twx_rc twx_ext_give_integer(twx_ext_call *call, int64_t value);
twx_rc twx_ext_give_ppm(twx_ext_call *call, int32_t ppm);     /* as a number of 0..1 */
twx_rc twx_ext_give_text(twx_ext_call *call, twx_slice text); /* an absent one: NULL */
twx_rc twx_ext_give_blob(twx_ext_call *call, twx_slice bytes);

/* Created on first use. Errors TWX_E_NOMEM, TWX_E_CONFIG (OpenSSL without MD5 or SHA-256) */
TWX_CHECK twx_rc twx_ext_workspace(twx_ext *x, twx_workspace **ret_workspace);

/* ext_functions: the SQL functions; functions.tsv and docs/extension.md describe their arguments
 * and results. */

/* A part of the table: of the core, or of a wing. */
typedef struct twx_ext_functions {
    const twx_ext_function *at;
    size_t n;
} twx_ext_functions;

/* ext_table (ext_functions.c): the functions of the core and of wings, and their registration with
 * the tokenizer "twindex" of the text index, which stems the words of a query in all languages;
 * without FTS5 there is none. faults: for tests, else NULL. Returns an SQLite result code. */
const twx_ext_function *twx_ext_function_at(size_t i); /* NULL after the last */
int twx_ext_register(sqlite3 *db, twx_faults *faults);

/* ext_signatures (ext_functions.c) */
twx_ext_fn twx_ext_payload; /* the detector's payload as a blob */
/* Signs a text with a detector: sets ret_key and ret_payload (borrowed until the call ends).
 * TWX_DONE: no signature. */
TWX_CHECK twx_rc twx_ext_sign(twx_ext *x, const twx_detector *d, const twx_params *params,
                              twx_slice text, twx_key *ret_key, twx_slice *ret_payload);

#endif
