#include "store/store.h"

#include <errno.h>
#include <sys/resource.h>

#include "sql_text.h"

/* ==== stmt */

twx_ctx *twx_db_ctx(const twx_db *db) {
    return db->cx;
}

/* SQLite's primary result codes that map to a twx_rc of their own; all others are internal
 * errors. */
static const struct {
    int sqlite_rc;
    twx_rc rc;
} RESULTS[] = {
    {SQLITE_BUSY, TWX_E_BUSY},       {SQLITE_LOCKED, TWX_E_BUSY}, {SQLITE_PROTOCOL, TWX_E_BUSY},
    {SQLITE_FULL, TWX_E_FULL},       {SQLITE_IOERR, TWX_E_IO},    {SQLITE_CORRUPT, TWX_E_CORRUPT},
    {SQLITE_NOTADB, TWX_E_CORRUPT},  {SQLITE_NOMEM, TWX_E_NOMEM}, {SQLITE_CANTOPEN, TWX_E_NOSTORE},
    {SQLITE_READONLY, TWX_E_CREATE}, {SQLITE_PERM, TWX_E_CREATE}, {SQLITE_TOOBIG, TWX_E_LIMIT},
    {SQLITE_CONSTRAINT, TWX_E_DATA}, {SQLITE_ERROR, TWX_E_DATA},  {SQLITE_AUTH, TWX_E_CONFIG},
};

bool twx_db_temporary_folder(twx_db *db, char folder[TWX_FOLDER_BYTES]) {
    char *file = NULL;
    folder[0] = '\0';
    if (sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_TEMPFILENAME, &file) == SQLITE_OK &&
        file) {
        const char *slash = strrchr(file, '/');
        if (slash)
            snprintf(folder, TWX_FOLDER_BYTES, "%.*s", slash == file ? 1 : (int)(slash - file),
                     file);
    }
    sqlite3_free(file);
    return folder[0] != '\0';
}

/* A reader writes nothing but temporary files: sorts and copies of rows. */
static bool temporary_file_failed(const twx_db *db, int sqlite_rc) {
    return db->mode == TWX_DB_READER &&
           ((sqlite_rc & 0xff) == SQLITE_FULL || sqlite_rc == SQLITE_IOERR_WRITE ||
            sqlite_rc == SQLITE_IOERR_GETTEMPPATH);
}

static twx_rc fail_temporary(twx_db *db, int sqlite_rc, const char *doing) {
    char folder[TWX_FOLDER_BYTES];
    if (!twx_db_temporary_folder(db, folder))
        return twx_fail(db->cx, TWX_E_FULL,
                        "%.300s: %s: no directory for temporary files is writable: set "
                        "SQLITE_TMPDIR",
                        db->path, doing);
    return twx_fail(db->cx, TWX_E_FULL,
                    "%.300s: %s: a temporary file in %.300s cannot grow (SQLite %d): set "
                    "SQLITE_TMPDIR to a directory with more room",
                    db->path, doing, folder, sqlite_rc);
}

/* SQLite also takes a damaged size of almost 4 GiB in a cell for a lack of memory. */
static const char *advice_on_memory(void) {
    enum { SHARE = 4 };
    const sqlite3_int64 limit = sqlite3_hard_heap_limit64(-1);
    return limit > 0 && sqlite3_memory_used() > limit / SHARE
               ? ": run.sqlite_memory limits the memory of SQLite"
               : ": the system has no more, or a row is damaged: PRAGMA integrity_check";
}

/* What may be the reason of an error, or what to do; "": nothing is known. */
static const char *advice_on(const twx_db *db, int sqlite_rc) {
    struct rlimit limit;
    if ((sqlite_rc == SQLITE_IOERR_WRITE || sqlite_rc == SQLITE_IOERR_SHMSIZE) &&
        getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        return ": the process has a file size limit (ulimit -f)";
    if ((sqlite_rc & 0xff) == SQLITE_NOMEM) return advice_on_memory();
    if ((sqlite_rc & 0xff) == SQLITE_TOOBIG) return ": run.row_bytes limits the rows that are read";
    if ((sqlite_rc & 0xff) == SQLITE_CANTOPEN && sqlite3_system_errno(db->handle) == EMFILE)
        return ": too many files are open (ulimit -n)";
    if ((sqlite_rc & 0xff) == SQLITE_BUSY)
        return ": another program is using it; try again later, or wait longer (run.busy_ms)";
    return "";
}

/* SQLite calls a full disk SQLITE_FULL only where it writes to the file or its journal. */
static bool is_full(const twx_db *db, int sqlite_rc) {
    const int error = sqlite3_system_errno(db->handle);
    return sqlite_rc == SQLITE_IOERR_SHMSIZE ||
           ((sqlite_rc & 0xff) == SQLITE_IOERR && (error == ENOSPC || error == EDQUOT));
}

static twx_rc fail_full(twx_db *db, int sqlite_rc, const char *doing) {
    return twx_fail(db->cx, TWX_E_FULL,
                    "%s: %s: no space is left on the disk for %s%s%s (SQLite %d)", db->path, doing,
                    db->path, sqlite_rc == SQLITE_IOERR_SHMSIZE ? "-shm" : "",
                    advice_on(db, sqlite_rc), sqlite_rc);
}

twx_rc twx_db_fail(twx_db *db, int sqlite_rc, const char *doing) {
    int primary = sqlite_rc & 0xff;
    if (primary == SQLITE_INTERRUPT) {
        twx_rc cancelled = twx_cancelled(db->cx);
        if (cancelled != TWX_OK) return cancelled;
    }
    if (temporary_file_failed(db, sqlite_rc)) return fail_temporary(db, sqlite_rc, doing);
    if (is_full(db, sqlite_rc)) return fail_full(db, sqlite_rc, doing);
    twx_rc rc = TWX_E_INTERNAL;
    for (size_t i = 0; i < TWX_COUNTOF(RESULTS); i++)
        if (RESULTS[i].sqlite_rc == primary) rc = RESULTS[i].rc;
    /* a failed read can be reported as corruption although the file is not damaged */
    const char *message = sqlite3_errmsg(db->handle);
    /* a function that could not be registered leaves no message on the connection */
    if (sqlite3_errcode(db->handle) == SQLITE_OK) message = sqlite3_errstr(sqlite_rc);
    /* the pages are sound, but the text of the schema is not; SQLite's message names the table and
     * the error */
    bool schema = strncmp(message, "malformed database schema", 25) == 0;
    const char *reason = primary == SQLITE_NOTADB         ? "the file is not an SQLite database"
                         : rc == TWX_E_CORRUPT && !schema ? "the file is corrupt or unreadable"
                                                          : message;
    return twx_fail(db->cx, rc, "%s: %s: %s%s (SQLite %d)", db->path, doing, reason,
                    advice_on(db, sqlite_rc), sqlite_rc);
}

twx_rc twx_stmt_prepare(twx_db *db, const char *sql, sqlite3_stmt **ret_stmt) {
    int rc = sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, ret_stmt, NULL);
    return rc == SQLITE_OK ? TWX_OK : twx_db_fail(db, rc, "prepare a statement");
}

twx_rc twx_stmt_printf(twx_db *db, sqlite3_stmt **ret_stmt, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *sql = twx_vsprintf(db->cx, fmt, args);
    va_end(args);
    const twx_rc rc = sql ? twx_stmt_prepare(db, sql, ret_stmt) : TWX_E_NOMEM;
    twx_free(sql);
    return rc;
}

twx_rc twx_stmts_prepare(twx_db *db, const twx_stmt_row *rows, size_t n) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        rc = twx_stmt_prepare(db, rows[i].sql, rows[i].stmt);
    return rc;
}

/* The table was there when the statement was prepared. */
static bool was_removed(const twx_db *db, int sqlite_rc) {
    static const char MESSAGE[] = "no such table: ";
    const char *message = sqlite3_errmsg(db->handle);
    return sqlite_rc == SQLITE_ERROR && strncmp(message, MESSAGE, sizeof MESSAGE - 1) == 0 &&
           strstr(message, "twindex_");
}

twx_rc twx_stmt_step(twx_db *db, sqlite3_stmt *stmt) {
    /* one that writes outside a transaction has one of its own */
    const bool own = !db->holds && !sqlite3_stmt_readonly(stmt);
    if (own) twx_suspension_hold(db->cx->suspension);
    int rc = sqlite3_step(stmt);
    if (own) twx_suspension_release(db->cx->suspension);
    if (rc == SQLITE_ROW) return TWX_OK;
    twx_rc result = TWX_DONE;
    if (rc != SQLITE_DONE && was_removed(db, rc))
        result = twx_fail(db->cx, TWX_E_BUSY,
                          "%s: 'twindex remove' has removed the tables of Twindex meanwhile: try "
                          "again",
                          db->path);
    else if (rc != SQLITE_DONE)
        result = twx_db_fail(db, rc, "run a statement");
    sqlite3_reset(stmt);
    return result;
}

twx_rc twx_stmt_run(twx_db *db, sqlite3_stmt *stmt) {
    twx_rc rc = twx_stmt_step(db, stmt);
    if (rc == TWX_OK) sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_stmt_write(twx_db *db, sqlite3_stmt *stmt, const twx_value *values, size_t n) {
    const twx_rc rc = twx_bind(db, stmt, values, n);
    return rc == TWX_OK ? twx_stmt_run(db, stmt) : rc;
}

twx_rc twx_stmt_first(twx_db *db, sqlite3_stmt *stmt, const twx_value *values, size_t n) {
    const twx_rc rc = twx_bind(db, stmt, values, n);
    return rc == TWX_OK ? twx_stmt_step(db, stmt) : rc;
}

twx_rc twx_stmt_end(sqlite3_stmt *stmt, twx_rc rc) {
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_db_run(twx_db *db, const char *sql, const twx_value *values, size_t n) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(db, sql, &stmt);
    if (rc == TWX_OK) rc = twx_stmt_write(db, stmt, values, n);
    return twx_stmt_end(stmt, rc);
}

twx_rc twx_db_bind(twx_db *db, const char *sql, const twx_value *values, size_t n,
                   sqlite3_stmt **ret_stmt) {
    const twx_rc rc = twx_stmt_prepare(db, sql, ret_stmt);
    return rc == TWX_OK ? twx_bind(db, *ret_stmt, values, n) : rc;
}

twx_rc twx_db_row(twx_db *db, const char *sql, const twx_value *values, size_t n,
                  sqlite3_stmt **ret_stmt) {
    const twx_rc rc = twx_stmt_prepare(db, sql, ret_stmt);
    return rc == TWX_OK ? twx_stmt_first(db, *ret_stmt, values, n) : rc;
}

twx_rc twx_db_integer(twx_db *db, const char *sql, int64_t *ret_value) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_row(db, sql, NULL, 0, &stmt);
    if (rc == TWX_OK && sqlite3_column_type(stmt, 0) == SQLITE_NULL) rc = TWX_DONE;
    if (rc == TWX_OK) *ret_value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return rc;
}

twx_rc twx_stmt_integers(twx_db *db, sqlite3_stmt *stmt, int64_t *ret_values, size_t *ret_n) {
    twx_rc rc = TWX_OK;
    size_t n = 0;
    while ((rc = twx_stmt_step(db, stmt)) == TWX_OK)
        ret_values[n++] = sqlite3_column_int64(stmt, 0);
    *ret_n = n;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc bound(twx_db *db, int rc) {
    return rc == SQLITE_OK ? TWX_OK : twx_db_fail(db, rc, "bind a value");
}

twx_rc twx_bind_int(twx_db *db, sqlite3_stmt *stmt, int at, int64_t v) {
    return bound(db, sqlite3_bind_int64(stmt, at, v));
}

static twx_rc bind_null(twx_db *db, sqlite3_stmt *stmt, int at) {
    return bound(db, sqlite3_bind_null(stmt, at));
}

twx_rc twx_bind_text(twx_db *db, sqlite3_stmt *stmt, int at, twx_slice text) {
    if (!text.p) return bind_null(db, stmt, at);
    return bound(db, sqlite3_bind_text64(stmt, at, text.p, text.n, SQLITE_STATIC, SQLITE_UTF8));
}

twx_rc twx_bind_blob(twx_db *db, sqlite3_stmt *stmt, int at, twx_slice bytes) {
    if (!bytes.p) return bind_null(db, stmt, at);
    return bound(db, sqlite3_bind_blob64(stmt, at, bytes.p, bytes.n, SQLITE_STATIC));
}

twx_rc twx_bind_value(twx_db *db, sqlite3_stmt *stmt, int at, const twx_value *v) {
    switch (v->type) {
    case TWX_INT: return twx_bind_int(db, stmt, at, v->i);
    case TWX_REAL: return bound(db, sqlite3_bind_double(stmt, at, v->r));
    case TWX_TEXT: return twx_bind_text(db, stmt, at, v->bytes);
    case TWX_BLOB: return twx_bind_blob(db, stmt, at, v->bytes);
    case TWX_NULL: break;
    }
    return bind_null(db, stmt, at);
}

twx_rc twx_bind(twx_db *db, sqlite3_stmt *stmt, const twx_value *values, size_t n) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        rc = twx_bind_value(db, stmt, (int)i + 1, &values[i]);
    return rc;
}

twx_slice twx_column_text(sqlite3_stmt *stmt, int at) {
    if (sqlite3_column_type(stmt, at) == SQLITE_NULL) return (twx_slice){NULL, 0};
    /* a blob is returned as its bytes, any other type as SQLite converts it to text */
    const void *p = sqlite3_column_type(stmt, at) == SQLITE_BLOB ? sqlite3_column_blob(stmt, at)
                                                                 : sqlite3_column_text(stmt, at);
    return (twx_slice){p ? p : "", (size_t)sqlite3_column_bytes(stmt, at)};
}

twx_slice twx_column_blob(sqlite3_stmt *stmt, int at) {
    if (sqlite3_column_type(stmt, at) == SQLITE_NULL) return (twx_slice){NULL, 0};
    const void *p = sqlite3_column_blob(stmt, at);
    return (twx_slice){p ? p : "", (size_t)sqlite3_column_bytes(stmt, at)};
}

twx_value twx_column_value(sqlite3_stmt *stmt, int at) {
    switch (sqlite3_column_type(stmt, at)) {
    case SQLITE_INTEGER: return (twx_value){.type = TWX_INT, .i = sqlite3_column_int64(stmt, at)};
    case SQLITE_FLOAT: return (twx_value){.type = TWX_REAL, .r = sqlite3_column_double(stmt, at)};
    case SQLITE_TEXT: return (twx_value){.type = TWX_TEXT, .bytes = twx_column_text(stmt, at)};
    case SQLITE_BLOB: return (twx_value){.type = TWX_BLOB, .bytes = twx_column_blob(stmt, at)};
    default: return (twx_value){.type = TWX_NULL};
    }
}

/* ==== display */

twx_rc twx_display_open(twx_db *db, const twx_display_query *question,
                        twx_display_cursor *ret_cursor) {
    twx_display_cursor c = {.db = db};
    const twx_rc rc = twx_db_bind(db, question->sql, question->values, question->n_values, &c.stmt);
    TWX_HAND_OVER(rc, ret_cursor, c, twx_display_close(&c));
    return rc;
}

twx_rc twx_display_next(twx_display_cursor *c, const twx_value **ret_columns) {
    *ret_columns = NULL;
    const twx_rc rc = twx_stmt_step(c->db, c->stmt);
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    const int n = sqlite3_column_count(c->stmt);
    for (int i = 0; i < n && i < TWX_DISPLAY_COLUMNS; i++)
        c->columns[i] = twx_column_value(c->stmt, i);
    *ret_columns = c->columns;
    return TWX_OK;
}

void twx_display_close(twx_display_cursor *c) {
    sqlite3_finalize(c->stmt);
    c->stmt = NULL;
}

twx_rc twx_display(twx_db *db, const twx_display_query *question, twx_display_fn *fn, void *arg) {
    twx_display_cursor c;
    const twx_value *columns = NULL;
    twx_rc rc = twx_display_open(db, question, &c);
    if (rc != TWX_OK) return rc;
    while (rc == TWX_OK && (rc = twx_display_next(&c, &columns)) == TWX_OK && columns)
        rc = fn(arg, columns);
    twx_display_close(&c);
    return rc == TWX_DONE ? TWX_OK : rc;
}

const int twx_display_groups_order[] = {-2, 1, 4, 3, 0};

const char *const twx_display_groups = TWX_SQL_QUERY_DISPLAY_GROUPS;
const char *const twx_display_members = TWX_SQL_QUERY_DISPLAY_MEMBERS;
const char *const twx_display_totals = TWX_SQL_QUERY_DISPLAY_TOTALS;
const char *const twx_display_sizes = TWX_SQL_QUERY_DISPLAY_SIZES;
const char *const twx_display_similarities = TWX_SQL_QUERY_DISPLAY_SIMILARITIES;
const char *const twx_display_largest = TWX_SQL_QUERY_DISPLAY_LARGEST;
const char *const twx_display_differing = TWX_SQL_QUERY_DISPLAY_DIFFERING;
const char *const twx_display_signature = TWX_SQL_QUERY_DISPLAY_SIGNATURE;
const char *const twx_display_no_pages = TWX_SQL_QUERY_DISPLAY_NO_PAGES;
const char *const twx_display_titles = TWX_SQL_QUERY_DISPLAY_TITLES;
const char *const twx_display_shards = TWX_SQL_QUERY_DISPLAY_SHARDS;
const char *const twx_display_runs = TWX_SQL_QUERY_RUN_LIST;
const char *const twx_display_runs_compared = TWX_SQL_QUERY_DISPLAY_RUNS_COMPARED;

/* ==== rule_functions */

static twx_value id_of(sqlite3_value *v) {
    twx_value id = {.type = TWX_NULL};
    switch (sqlite3_value_type(v)) {
    case SQLITE_INTEGER: return (twx_value){.type = TWX_INT, .i = sqlite3_value_int64(v)};
    case SQLITE_FLOAT: return (twx_value){.type = TWX_REAL, .r = sqlite3_value_double(v)};
    case SQLITE_TEXT: id.type = TWX_TEXT; break;
    case SQLITE_BLOB: id.type = TWX_BLOB; break;
    default: return id;
    }
    const char *bytes = sqlite3_value_blob(v);
    id.bytes = (twx_slice){bytes ? bytes : "", (size_t)sqlite3_value_bytes(v)};
    return id;
}

static void matches(sqlite3_context *context, int n, sqlite3_value **values) {
    const twx_rule_functions *f = sqlite3_user_data(context);
    const twx_value id = id_of(values[0]);
    bool known = false, yes = false;
    (void)n;
    if (id.type == TWX_NULL) return;
    if (f->matches(f->arg, &id, sqlite3_value_int64(values[1]), &known, &yes) != TWX_OK)
        sqlite3_result_error(context, "a document cannot be read", -1);
    else if (known)
        sqlite3_result_int(context, yes);
}

static void number(sqlite3_context *context, int n, sqlite3_value **values) {
    const twx_rule_functions *f = sqlite3_user_data(context);
    const twx_value id = id_of(values[0]);
    bool known = false;
    double x = 0;
    (void)n;
    if (id.type == TWX_NULL) return;
    if (f->number(f->arg, &id, sqlite3_value_int64(values[1]), &known, &x) != TWX_OK)
        sqlite3_result_error(context, "a document cannot be read", -1);
    else if (known)
        sqlite3_result_double(context, x);
}

twx_rc twx_rule_functions_register(twx_db *db, const twx_rule_functions *functions) {
    static const struct {
        const char *name;
        void (*call)(sqlite3_context *, int, sqlite3_value **);
    } FUNCTIONS[] = {{"rule_matches", matches}, {"rule_number", number}};
    for (size_t i = 0; i < TWX_COUNTOF(FUNCTIONS); i++) {
        const int rc = sqlite3_create_function_v2(
            db->handle, FUNCTIONS[i].name, 2, SQLITE_UTF8 | SQLITE_DIRECTONLY,
            (void *)(uintptr_t)functions, FUNCTIONS[i].call, NULL, NULL, NULL);
        if (rc != SQLITE_OK) return twx_db_fail(db, rc, "register an SQL function");
    }
    return TWX_OK;
}
