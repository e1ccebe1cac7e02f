#include "store/display.h"

#include "sql_text.h"
#include "store/stmt.h"

twx_rc twx_display_open(twx_db *db, const twx_display_query *question,
                        twx_display_cursor *ret_cursor) {
    twx_display_cursor c = {.db = db};
    twx_rc rc = twx_stmt_prepare(db, question->sql, &c.stmt);
    for (size_t i = 0; rc == TWX_OK && i < question->n_values; i++)
        rc = twx_bind_value(db, c.stmt, (int)i + 1, &question->values[i]);
    if (rc == TWX_OK)
        *ret_cursor = c;
    else
        twx_display_close(&c);
    return rc;
}

twx_rc twx_display_next(twx_display_cursor *c, const twx_value **ret_columns, size_t *ret_n) {
    *ret_columns = NULL;
    const twx_rc rc = twx_stmt_step(c->db, c->stmt);
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    const size_t n = (size_t)sqlite3_column_count(c->stmt);
    *ret_n = n < TWX_DISPLAY_COLUMNS ? n : TWX_DISPLAY_COLUMNS;
    for (size_t i = 0; i < *ret_n; i++) c->columns[i] = twx_column_value(c->stmt, (int)i);
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
    size_t n = 0;
    twx_rc rc = twx_display_open(db, question, &c);
    if (rc != TWX_OK) return rc;
    do {
        rc = twx_display_next(&c, &columns, &n);
        if (rc == TWX_OK && columns) rc = fn(arg, columns, n);
    } while (rc == TWX_OK && columns);
    twx_display_close(&c);
    return rc == TWX_DONE ? TWX_OK : rc;
}

const int twx_display_groups_order[] = {-2, 1, 4, 3, 0};

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

const char *twx_display_signature(void) {
    return TWX_SQL_QUERY_DISPLAY_SIGNATURE;
}

const char *twx_display_titles(void) {
    return TWX_SQL_QUERY_DISPLAY_TITLES;
}

const char *twx_display_shards(void) {
    return TWX_SQL_QUERY_DISPLAY_SHARDS;
}

const char *twx_display_runs(void) {
    return TWX_SQL_QUERY_RUN_LIST;
}
