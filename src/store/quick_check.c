/* A quick_check of the whole file finds the most, but fails as a whole if one table needs something
 * that only the store's own application has: a collation, an SQL function in a CHECK constraint, or
 * a module. Then the tables are checked one by one, and those are left out.
 *
 * SQLite (3.40.1) does not look at the list of free pages if the first object it visits is a view,
 * whose root page 0 it takes for the mark of a check of one table. Pages of a table that are also
 * in that list would be overwritten by the next rows that are written. In that case the list is
 * checked together with the schema table, and the pages are counted. A list with as many pages as
 * there are free ones, but not the same, is not found.
 */
#include <inttypes.h>

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

/* Takes ownership of the statement. */
static twx_rc count_pages(twx_db *db, sqlite3_stmt *stmt, twx_buf *faults) {
    twx_rc rc = twx_stmt_step(db, stmt);
    if (rc == TWX_OK) {
        const int64_t pages = sqlite3_column_int64(stmt, 0), used = sqlite3_column_int64(stmt, 1),
                      free = sqlite3_column_int64(stmt, 2);
        if (pages != used + free)
            rc = twx_buf_printf(db->cx, faults,
                                "of %" PRId64 " pages, %" PRId64 " are used and %" PRId64
                                " are in the list of free pages\n",
                                pages, used, free);
    }
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc check_free_pages(twx_db *db, twx_buf *faults, twx_buf *skipped) {
    sqlite3_stmt *stmt = NULL;
    int findings = 0;
    twx_buf reason;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_FIRST_OBJECT, &stmt);
    if (rc == TWX_OK) rc = twx_stmt_step(db, stmt);
    const bool unchecked = rc == TWX_OK &&
                           twx_slice_eq(twx_column_text(stmt, 0), TWX_SLICE_LIT("view"));
    sqlite3_finalize(stmt);
    if (!unchecked) return rc == TWX_DONE ? TWX_OK : rc;
    rc = check_table(db, TWX_SLICE_LIT("sqlite_schema"), faults, &findings);
    if (rc != TWX_OK || faults->n) return rc;
    twx_buf_init(&reason, TWX_MESSAGE_MAX);
    rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_FREE_PAGES, &stmt);
    if (rc == TWX_OK)
        rc = count_pages(db, stmt, faults);
    else if (forgive(db, rc, &reason)) /* a build without dbstat */
        rc = twx_buf_printf(db->cx, skipped, "the list of free pages: " TWX_SLICE_FMT,
                            TWX_SLICE_ARG(twx_buf_slice(&reason)));
    twx_buf_done(&reason);
    return rc;
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
    } else if (rc == TWX_OK && ret_faults->n == 0) {
        rc = check_free_pages(db, ret_faults, ret_skipped);
    }
    twx_buf_done(&reason);
    return rc;
}
