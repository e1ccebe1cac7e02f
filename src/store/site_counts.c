#include "store/site_counts.h"

#include "sql_text.h"
#include "store/stmt.h"

twx_rc twx_site_counts_each(twx_db *db, char generation, twx_site_count_fn *fn, void *arg) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SITE_EACH, &stmt);
    if (rc == TWX_OK) rc = twx_bind_text(db, stmt, 1, (twx_slice){&generation, 1});
    while (rc == TWX_OK) {
        rc = twx_stmt_step(db, stmt);
        if (rc != TWX_OK) break;
        const int64_t documents = sqlite3_column_int64(stmt, 1);
        const twx_site_count count = {twx_column_text(stmt, 0), (uint64_t)documents};
        if (sqlite3_column_type(stmt, 1) != SQLITE_INTEGER || documents < 0 ||
            documents > UINT32_MAX || !count.site.p)
            rc = twx_fail(db->cx, TWX_E_CORRUPT,
                          "%s: twindex_site: site '" TWX_SLICE_FMT
                          "' has no valid number of documents",
                          db->path, TWX_SLICE_ARG(count.site));
        else
            rc = fn(arg, &count);
    }
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_site_counts_clear(twx_db *db, char generation) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SITE_CLEAR, &stmt);
    if (rc == TWX_OK) rc = twx_bind_text(db, stmt, 1, (twx_slice){&generation, 1});
    if (rc == TWX_OK) rc = twx_stmt_run(db, stmt);
    sqlite3_finalize(stmt);
    return rc;
}

twx_rc twx_site_counts_put(twx_db *db, char generation, const twx_site_count *counts, size_t n) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SITE_PUT, &stmt);
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        rc = twx_bind_text(db, stmt, 1, (twx_slice){&generation, 1});
        if (rc == TWX_OK) rc = twx_bind_text(db, stmt, 2, counts[i].site);
        if (rc == TWX_OK) rc = twx_bind_int(db, stmt, 3, (int64_t)counts[i].documents);
        if (rc == TWX_OK) rc = twx_stmt_run(db, stmt);
    }
    sqlite3_finalize(stmt);
    return rc;
}
