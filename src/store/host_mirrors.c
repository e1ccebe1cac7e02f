#include "store/host_mirrors.h"

#include <string.h>

#include "sql_text.h"
#include "store/stmt.h"

/* Millionths as a number from 0 to 1, with the same bits on every machine. */
static double share(uint32_t ppm) {
    return (double)ppm / 1e6;
}

static bool is_kept(sqlite3_stmt *stmt, const twx_host_mirror *row) {
    const double kept = sqlite3_column_double(stmt, 5), ratio = share(row->ratio_ppm);
    return twx_slice_eq(twx_column_text(stmt, 0), row->host) &&
           twx_slice_eq(twx_column_text(stmt, 1), row->mirror_of) &&
           twx_slice_eq(twx_column_text(stmt, 2), twx_slice_of(row->level)) &&
           sqlite3_column_int64(stmt, 3) == (int64_t)row->shared &&
           sqlite3_column_int64(stmt, 4) == (int64_t)row->documents &&
           memcmp(&kept, &ratio, sizeof kept) == 0;
}

static twx_rc compare(twx_db *db, const twx_host_mirror *rows, size_t n, bool *ret_same) {
    sqlite3_stmt *stmt = NULL;
    size_t i = 0;
    bool same = true;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_MIRROR_EACH, &stmt);
    while (rc == TWX_OK && same) {
        rc = twx_stmt_step(db, stmt);
        if (rc == TWX_OK) same = i < n && is_kept(stmt, &rows[i++]);
    }
    sqlite3_finalize(stmt);
    *ret_same = same && i == n;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc put(twx_db *db, sqlite3_stmt *stmt, const twx_host_mirror *row) {
    const twx_value ratio = {.type = TWX_REAL, .r = share(row->ratio_ppm)};
    twx_rc rc = twx_bind_text(db, stmt, 1, row->host);
    if (rc == TWX_OK) rc = twx_bind_text(db, stmt, 2, row->mirror_of);
    if (rc == TWX_OK) rc = twx_bind_text(db, stmt, 3, twx_slice_of(row->level));
    if (rc == TWX_OK) rc = twx_bind_int(db, stmt, 4, (int64_t)row->shared);
    if (rc == TWX_OK) rc = twx_bind_int(db, stmt, 5, (int64_t)row->documents);
    if (rc == TWX_OK) rc = twx_bind_value(db, stmt, 6, &ratio);
    return rc == TWX_OK ? twx_stmt_run(db, stmt) : rc;
}

static twx_rc replace(twx_db *db, const twx_host_mirror *rows, size_t n) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_MIRROR_PUT, &stmt);
    if (rc == TWX_OK) rc = twx_db_begin(db);
    if (rc == TWX_OK) rc = twx_db_script(db, TWX_SQL_QUERY_MIRROR_CLEAR);
    for (size_t i = 0; rc == TWX_OK && i < n; i++) rc = put(db, stmt, &rows[i]);
    sqlite3_finalize(stmt);
    if (rc == TWX_OK) rc = twx_db_commit(db);
    if (rc != TWX_OK) twx_db_rollback(db);
    return rc;
}

twx_rc twx_host_mirrors_keep(twx_db *db, const twx_host_mirror *rows, size_t n, bool *ret_written) {
    bool same = false;
    twx_rc rc = compare(db, rows, n, &same);
    if (rc == TWX_OK && !same) rc = replace(db, rows, n);
    if (rc == TWX_OK) *ret_written = !same;
    return rc;
}

twx_rc twx_host_mirrors_each(twx_db *db, twx_host_fn *fn, void *arg) {
    sqlite3_stmt *stmt = NULL;
    bool there = false;
    if (!db) return TWX_OK;
    twx_rc rc = twx_db_has(db, "twindex_host_mirror", &there);
    if (rc != TWX_OK || !there) return rc;
    rc = twx_stmt_prepare(db, TWX_SQL_QUERY_MIRROR_EACH, &stmt);
    while (rc == TWX_OK && (rc = twx_stmt_step(db, stmt)) == TWX_OK)
        rc = fn(arg, twx_column_text(stmt, 0));
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}
