/* A quick_check of the whole file finds the most, but fails as a whole if one table needs something
 * that only the store's own application has: a collation, an SQL function in a CHECK constraint, or
 * a module. Then the tables are checked one by one, and those are left out. */
#include "sql_text.h"
#include "store/db.h"
#include "store/stmt.h"

enum { FINDINGS_MAX = 10 };

/* Steps through a quick_check. Takes ownership of the statement. */
static twx_rc collect(twx_db *db, sqlite3_stmt *stmt, twx_buf *faults, int *ret_findings) {
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && *ret_findings < FINDINGS_MAX) {
        rc = twx_stmt_step(db, stmt);
        if (rc != TWX_OK) break;
        twx_slice line = twx_column_text(stmt, 0);
        if (twx_slice_eq(line, TWX_SLICE_LIT("ok"))) continue;
        ++*ret_findings;
        rc = twx_buf_printf(db->cx, faults, TWX_SLICE_FMT "\n", TWX_SLICE_ARG(line));
    }
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* SQLITE_ERROR concerns the statement, not the file: clears the error and keeps the reason. */
static bool forgive(twx_db *db, twx_rc rc, twx_buf *reason) {
    if (rc != TWX_E_DATA) return false;
    twx_ctx_clear(db->cx);
    twx_buf_clear(reason);
    return twx_buf_add_text(db->cx, reason, sqlite3_errmsg(db->handle)) == TWX_OK;
}

static twx_rc check_table(twx_db *db, twx_slice name, twx_buf *faults, int *ret_findings) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_QUICK_CHECK, &stmt);
    if (rc == TWX_OK) rc = twx_bind_text(db, stmt, 1, name);
    if (rc == TWX_OK) return collect(db, stmt, faults, ret_findings);
    sqlite3_finalize(stmt);
    return rc;
}

static twx_rc check_tables(twx_db *db, twx_buf *faults, twx_buf *skipped) {
    sqlite3_stmt *list = NULL;
    twx_buf reason;
    int findings = 0;
    twx_buf_init(&reason, TWX_MESSAGE_MAX);
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_STORED_TABLES, &list);
    while (rc == TWX_OK) {
        rc = twx_stmt_step(db, list);
        if (rc != TWX_OK) break;
        twx_slice name = twx_column_text(list, 0);
        rc = check_table(db, name, faults, &findings);
        if (rc != TWX_OK && forgive(db, rc, &reason))
            rc = twx_buf_printf(db->cx, skipped, "%stable '" TWX_SLICE_FMT "': " TWX_SLICE_FMT,
                                skipped->n ? "; " : "", TWX_SLICE_ARG(name),
                                TWX_SLICE_ARG(twx_buf_slice(&reason)));
    }
    sqlite3_finalize(list);
    twx_buf_done(&reason);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_db_quick_check(twx_db *db, twx_buf *ret_faults, twx_buf *ret_skipped) {
    sqlite3_stmt *stmt = NULL;
    twx_buf reason;
    int findings = 0;
    twx_buf_init(&reason, TWX_MESSAGE_MAX);
    twx_rc rc = twx_stmt_prepare(db, "PRAGMA quick_check(10)", &stmt);
    if (rc == TWX_OK) rc = collect(db, stmt, ret_faults, &findings);
    if (rc != TWX_OK && forgive(db, rc, &reason)) {
        twx_buf_clear(ret_faults);
        rc = check_tables(db, ret_faults, ret_skipped);
    }
    twx_buf_done(&reason);
    return rc;
}
