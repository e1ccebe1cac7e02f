#include "store/display.h"

#include "sql_text.h"
#include "store/stmt.h"

enum { COLUMNS_MAX = 16 };

twx_rc twx_display(twx_db *db, const twx_display_query *question, twx_display_fn *fn, void *arg) {
    sqlite3_stmt *stmt = NULL;
    twx_value columns[COLUMNS_MAX];
    twx_rc rc = twx_stmt_prepare(db, question->sql, &stmt);
    for (size_t i = 0; rc == TWX_OK && i < question->n_values; i++)
        rc = twx_bind_value(db, stmt, (int)i + 1, &question->values[i]);
    while (rc == TWX_OK) {
        rc = twx_stmt_step(db, stmt);
        if (rc != TWX_OK) break;
        size_t n = (size_t)sqlite3_column_count(stmt);
        for (size_t i = 0; i < n && i < COLUMNS_MAX; i++)
            columns[i] = twx_column_value(stmt, (int)i);
        rc = fn(arg, columns, n);
    }
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

const char *twx_display_groups(void) {
    return TWX_SQL_QUERY_DISPLAY_GROUPS;
}

const char *twx_display_members(void) {
    return TWX_SQL_QUERY_DISPLAY_MEMBERS;
}

const char *twx_display_totals(void) {
    return TWX_SQL_QUERY_DISPLAY_TOTALS;
}

const char *twx_display_sizes(void) {
    return TWX_SQL_QUERY_DISPLAY_SIZES;
}

const char *twx_display_similarities(void) {
    return TWX_SQL_QUERY_DISPLAY_SIMILARITIES;
}

const char *twx_display_largest(void) {
    return TWX_SQL_QUERY_DISPLAY_LARGEST;
}

const char *twx_display_differing(void) {
    return TWX_SQL_QUERY_DISPLAY_DIFFERING;
}

const char *twx_display_titles(void) {
    return TWX_SQL_QUERY_DISPLAY_TITLES;
}

const char *twx_display_runs(void) {
    return TWX_SQL_QUERY_RUN_LIST;
}
