#include "store/changes.h"

#include "base/alloc.h"
#include "sql_text.h"
#include "store/stmt.h"

enum { FORGET_ROWS = 2000 }; /* take a few milliseconds */

struct twx_changes {
    twx_db *db;
    sqlite3_stmt *list, *forget; /* forget: prepared when it is needed, by a writer */
};

twx_rc twx_changes_open(twx_db *db, twx_changes **ret_changes) {
    twx_changes *c = twx_calloc(db->cx, 1, sizeof *c);
    if (!c) return TWX_E_NOMEM;
    c->db = db;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_CHANGE_LIST, &c->list);
    if (rc != TWX_OK) {
        twx_changes_close(c);
        return rc;
    }
    *ret_changes = c;
    return TWX_OK;
}

void twx_changes_close(twx_changes *c) {
    if (!c) return;
    sqlite3_finalize(c->list);
    sqlite3_finalize(c->forget);
    twx_free(c);
}

twx_rc twx_changes_mark(twx_changes *c, int64_t *ret_mark) {
    *ret_mark = 0;
    twx_rc rc = twx_db_integer(c->db, TWX_SQL_QUERY_CHANGE_LAST, ret_mark);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_changes_agree(twx_db *db, bool *ret_agree) {
    int64_t agree = 0;
    twx_rc rc = twx_db_integer(db, TWX_SQL_QUERY_CHANGE_AGREES, &agree);
    if (rc == TWX_OK) *ret_agree = agree != 0;
    return rc;
}

twx_rc twx_changes_list(twx_changes *c, int64_t mark, int64_t after, int64_t *ret_docs,
                        size_t limit, size_t *ret_n) {
    twx_rc rc = twx_bind_int(c->db, c->list, 1, mark);
    if (rc == TWX_OK) rc = twx_bind_int(c->db, c->list, 2, after);
    if (rc == TWX_OK) rc = twx_bind_int(c->db, c->list, 3, (int64_t)limit);
    return rc == TWX_OK ? twx_stmt_integers(c->db, c->list, ret_docs, ret_n) : rc;
}

twx_rc twx_changes_forget(twx_changes *c, int64_t mark, bool *ret_more) {
    twx_rc rc = c->forget ? TWX_OK
                          : twx_stmt_prepare(c->db, TWX_SQL_QUERY_CHANGE_FORGET, &c->forget);
    if (rc == TWX_OK) rc = twx_bind_int(c->db, c->forget, 1, mark);
    if (rc == TWX_OK) rc = twx_bind_int(c->db, c->forget, 2, FORGET_ROWS);
    if (rc == TWX_OK) rc = twx_stmt_run(c->db, c->forget);
    if (rc == TWX_OK) *ret_more = sqlite3_changes(c->db->handle) > 0;
    return rc;
}
