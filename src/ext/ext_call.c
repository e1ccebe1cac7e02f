#include "ext/ext.h"

#include <math.h>

#ifndef SQLITE_CORE
const sqlite3_api_routines *sqlite3_api = NULL;
#endif

enum { MILLION = 1000000, SCRATCH_KEEP = 1 << 20, NAME_ROOM = 64 };

/* The data of a registered function: SQLite passes a single pointer. */
typedef struct binding {
    twx_ext *ext;
    const twx_ext_function *function;
} binding;

static int type_of(const twx_ext_call *call, int i) {
    return i < call->n ? sqlite3_value_type(call->values[i]) : SQLITE_NULL;
}

static twx_rc wrong_type(const twx_ext_call *call, int i, const char *wanted) {
    static const char *const NAMES[] = {"NULL",   "an integer", "a real number",
                                        "a text", "a blob",     "NULL"};
    const int type = type_of(call, i);
    return twx_fail(&call->ext->cx, TWX_E_USAGE, "argument %d is %s: give %s", i + 1,
                    NAMES[type >= SQLITE_INTEGER && type <= SQLITE_NULL ? type : 0], wanted);
}

bool twx_ext_is_blob(const twx_ext_call *call, int i) {
    return type_of(call, i) == SQLITE_BLOB;
}

/* Text in another encoding is converted to UTF-8 first, so its length is queried afterwards. */
twx_rc twx_ext_bytes(twx_ext_call *call, int i, twx_slice *ret_bytes) {
    const int type = type_of(call, i);
    const void *p = NULL;
    if (type == SQLITE_TEXT)
        p = sqlite3_value_text(call->values[i]);
    else if (type == SQLITE_BLOB)
        p = sqlite3_value_blob(call->values[i]);
    else
        return wrong_type(call, i, "a text or a blob");
    const int n = sqlite3_value_bytes(call->values[i]);
    if (!p && (type == SQLITE_TEXT || n > 0))
        return twx_fail(&call->ext->cx, TWX_E_NOMEM, "out of memory for a text");
    *ret_bytes = (twx_slice){p ? p : "", (size_t)n};
    return TWX_OK;
}

twx_rc twx_ext_integer(twx_ext_call *call, int i, int64_t *ret_value) {
    if (type_of(call, i) != SQLITE_INTEGER) return wrong_type(call, i, "an integer");
    *ret_value = sqlite3_value_int64(call->values[i]);
    return TWX_OK;
}

twx_rc twx_ext_share(twx_ext_call *call, int i, uint32_t *ret_ppm) {
    const int type = type_of(call, i);
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return wrong_type(call, i, "a number");
    const double share = sqlite3_value_double(call->values[i]);
    if (!(share >= 0 && share <= 1))
        return twx_fail(&call->ext->cx, TWX_E_USAGE, "argument %d is %g: give a number from 0 to 1",
                        i + 1, share);
    *ret_ppm = (uint32_t)lround(share * MILLION);
    return TWX_OK;
}

twx_rc twx_ext_give_integer(twx_ext_call *call, int64_t value) {
    sqlite3_result_int64(call->context, value);
    return TWX_OK;
}

twx_rc twx_ext_give_ppm(twx_ext_call *call, int32_t ppm) {
    sqlite3_result_double(call->context, ppm / (double)MILLION);
    return TWX_OK;
}

twx_rc twx_ext_give_text(twx_ext_call *call, twx_slice text) {
    if (!text.p) return TWX_DONE;
    sqlite3_result_text64(call->context, text.p, text.n, SQLITE_TRANSIENT, SQLITE_UTF8);
    return TWX_OK;
}

twx_rc twx_ext_give_blob(twx_ext_call *call, twx_slice bytes) {
    sqlite3_result_blob64(call->context, bytes.n ? bytes.p : "", bytes.n, SQLITE_TRANSIENT);
    return TWX_OK;
}

static void leave(twx_ext *x) {
    if (--x->users > 0) return;
    twx_similarity_close(x->similarity);
    twx_workspace_close(x->workspace);
    twx_page_memo_close(x->page);
    if (x->model) x->close_model(x->model);
    twx_arena_done(&x->scratch);
    twx_free(x);
}

static void unbind(void *arg) {
    binding *b = arg;
    leave(b->ext);
    twx_free(b);
}

twx_rc twx_ext_workspace(twx_ext *x, twx_workspace **ret_workspace) {
    twx_rc rc = x->workspace ? TWX_OK : twx_workspace_open(&x->cx, &x->params, &x->workspace);
    if (rc == TWX_OK) *ret_workspace = x->workspace;
    return rc;
}

/* Functions are registered for any number of arguments: see twx_ext_allow_indirect(). */
static twx_rc run(twx_ext_call *call) {
    const twx_ext_function *f = call->function;
    if (call->n < f->least || call->n > f->most)
        return twx_fail(&call->ext->cx, TWX_E_USAGE,
                        "wrong number of arguments: it is called as %s(%s)", f->name, f->arguments);
    for (int i = 0; i < call->n; i++)
        if (type_of(call, i) == SQLITE_NULL) return TWX_DONE;
    return f->call(call);
}

static void give_error(const twx_ext_call *call, twx_rc rc, const char *message) {
    char text[TWX_MESSAGE_MAX + NAME_ROOM];
    snprintf(text, sizeof text, "%s(): %s", call->function->name, message);
    sqlite3_result_error(call->context, text, -1);
    if (rc == TWX_E_NOMEM) sqlite3_result_error_nomem(call->context);
    if (rc == TWX_E_INTERRUPTED) sqlite3_result_error_code(call->context, SQLITE_INTERRUPT);
}

/* The entry point of every registered function. */
static void called(sqlite3_context *context, int n, sqlite3_value **values) {
    const binding *b = sqlite3_user_data(context);
    twx_ext *x = b->ext;
    twx_ext_call call = {x, b->function, context, values, n};
    if (x->busy) { /* called by a schema from a table that we are reading */
        give_error(&call, TWX_E_USAGE,
                   "it was called while another function of twindex reads a table");
        return;
    }
    x->busy = true;
    twx_ctx_clear(&x->cx);
    const twx_rc rc = run(&call);
    if (rc != TWX_OK && rc != TWX_DONE) give_error(&call, rc, x->cx.message);
    if (x->workspace) twx_workspace_reset(x->workspace);
    twx_arena_reset(&x->scratch);
    x->busy = false;
}

/* n: arguments; -1: any number. */
static int bind(twx_ext *x, const twx_ext_function *f, int n, int flags) {
    binding *b = twx_malloc(&x->cx, sizeof *b);
    if (!b) return SQLITE_NOMEM;
    *b = (binding){x, f};
    x->users++;
    if (f->traits & TWX_EXT_PURE) flags |= SQLITE_DETERMINISTIC;
    return sqlite3_create_function_v2(x->db, f->name, n, SQLITE_UTF8 | flags, b, called, NULL, NULL,
                                      unbind);
}

int twx_ext_bind_all(sqlite3 *db, twx_ext_functions_fn *function_at, twx_faults *faults) {
    twx_ctx cx = {0};
    cx.faults = faults;
    twx_ext *x = twx_calloc(&cx, 1, sizeof *x);
    if (!x) return SQLITE_NOMEM;
    x->cx = cx;
    x->db = db;
    x->users = 1;
    x->function_at = function_at;
    x->params = twx_params_default();
    twx_arena_init(&x->scratch, SCRATCH_KEEP);
    int code = SQLITE_OK;
    const twx_ext_function *f = NULL;
    for (size_t i = 0; code == SQLITE_OK && (f = function_at(i)); i++)
        code = bind(x, f, -1, SQLITE_DIRECTONLY);
    leave(x);
    return code;
}

/* A function cannot be replaced while a statement runs, and the call that requests this is one. But
 * SQLite prefers a function for the exact number of arguments to one for any number, so those are
 * added. Busy: one exists already, from an attempt that ran out of memory or from loading the
 * extension twice. */
int twx_ext_allow_indirect(twx_ext *x) {
    int code = SQLITE_OK;
    const twx_ext_function *f = NULL;
    for (size_t i = 0; !x->indirect && code == SQLITE_OK && (f = x->function_at(i)); i++) {
        if (f->traits & TWX_EXT_DIRECT_ONLY) continue;
        for (int n = f->least; code == SQLITE_OK && n <= f->most; n++) {
            code = bind(x, f, n, 0);
            if (code == SQLITE_BUSY) code = SQLITE_OK;
        }
    }
    x->indirect = x->indirect || code == SQLITE_OK;
    return code;
}
