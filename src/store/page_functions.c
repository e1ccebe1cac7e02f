#include "store/page_functions.h"

#include "base/alloc.h"
#include "page/page_values.h"
#include "store/stmt.h"

/* What the functions of a connection share, and one entry for each: SQLite passes a function one
 * pointer. */
typedef struct entry {
    const twx_page_function *function;
    twx_page_functions *all;
} entry;

struct twx_page_functions {
    twx_page_memo *memo;
    entry entries[TWX_PAGE_FUNCTIONS_MAX];
};

/* The limit of the connection is the limit of a result. */
static void called(sqlite3_context *context, int n, sqlite3_value **values) {
    const entry *e = sqlite3_user_data(context);
    const int most = sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1);
    twx_page_argument arguments[TWX_PAGE_ARGUMENTS_MAX];
    const twx_page_call call = {&e->all->memo, arguments, (size_t)n};
    twx_page_kind kind = TWX_PAGE_NONE;
    twx_buf out;
    twx_ctx cx;
    for (int i = 0; i < n; i++) {
        if (sqlite3_value_type(values[i]) == SQLITE_NULL) return;
        arguments[i].blob = sqlite3_value_type(values[i]) == SQLITE_BLOB;
        const void *p = arguments[i].blob ? sqlite3_value_blob(values[i])
                                          : (const void *)sqlite3_value_text(values[i]);
        arguments[i].bytes = (twx_slice){p ? p : "", (size_t)sqlite3_value_bytes(values[i])};
    }
    twx_ctx_init(&cx);
    twx_buf_init(&out, (size_t)most);
    if (e->function->call(&cx, e->function, &call, &out, &kind) != TWX_OK)
        sqlite3_result_error_nomem(context);
    else if (kind == TWX_PAGE_TEXT)
        sqlite3_result_text64(context, out.n ? out.p : "", out.n, SQLITE_TRANSIENT, SQLITE_UTF8);
    else if (kind == TWX_PAGE_BLOB)
        sqlite3_result_blob64(context, out.n ? out.p : "", out.n, SQLITE_TRANSIENT);
    twx_buf_done(&out);
}

twx_rc twx_page_functions_register(twx_db *db) {
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
    const twx_page_function *f = NULL;
    db->pages = twx_calloc(db->cx, 1, sizeof *db->pages);
    if (!db->pages) return TWX_E_NOMEM;
    for (size_t i = 0; (f = twx_page_function_at(i)); i++) {
        entry *e = &db->pages->entries[i];
        *e = (entry){f, db->pages};
        for (size_t n = f->least; n <= f->most; n++) {
            int rc = sqlite3_create_function_v2(db->handle, f->name, (int)n, flags, e, called, NULL,
                                                NULL, NULL);
            if (rc != SQLITE_OK) return twx_db_fail(db, rc, "register an SQL function");
        }
    }
    return TWX_OK;
}

void twx_page_functions_close(twx_page_functions *pages) {
    if (pages) twx_page_memo_close(pages->memo);
    twx_free(pages);
}
