#include "store/flag_views.h"

#include "base/buf.h"
#include "sql_text.h"
#include "store/migrate.h"
#include "store/remotes.h"
#include "store/stmt.h"
#include "store/template.h"

enum { SQL_BYTES = 1 << 18 };

static twx_rc template_of(twx_db *db, const twx_flag_views *views, twx_template *ret_template) {
    *ret_template = (twx_template){
        .generation = views->generation,
        .direct = views->direct,
        .select = views->select,
        .column = "duplicate_of" /* the verdict's representatives */
    };
    return twx_remotes_any(db, views->generation, &ret_template->remotes);
}

twx_rc twx_flag_views_point(twx_db *db, const twx_flag_views *views) {
    twx_template t;
    twx_buf sql;
    twx_buf_init(&sql, SQL_BYTES);
    twx_rc rc = template_of(db, views, &t);
    if (rc == TWX_OK) rc = twx_buf_add_text(db->cx, &sql, TWX_SQL_VIEW_DROP_FLAGGED_DOCUMENTS);
    if (rc == TWX_OK) rc = twx_buf_add_text(db->cx, &sql, TWX_SQL_VIEW_DROP_FLAG_VIEWS);
    if (rc == TWX_OK) rc = twx_template_fill(db->cx, &sql, TWX_SQL_VIEW_FLAG_VIEWS, &t);
    if (rc == TWX_OK && views->select)
        rc = twx_template_fill(db->cx, &sql, TWX_SQL_VIEW_FLAGGED_DOCUMENTS, &t);
    if (rc == TWX_OK) rc = twx_db_script(db, sql.p);
    twx_buf_done(&sql);
    return rc;
}

/* TWX_DONE: nothing is published. */
static twx_rc read_published(twx_db *db, twx_flag_views *ret_views) {
    enum { ID_KIND = 5 };
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_STATE_READ, &stmt);
    if (rc == TWX_OK) rc = twx_stmt_step(db, stmt);
    if (rc == TWX_OK) {
        const twx_slice generation = twx_column_text(stmt, 0),
                        id_kind = twx_column_text(stmt, ID_KIND);
        *ret_views = (twx_flag_views){.generation = generation.n ? generation.p[0] : '\0',
                                      .direct = !twx_slice_eq(id_kind, TWX_SLICE_LIT("mapped"))};
        if (!generation.n) rc = TWX_DONE;
    }
    sqlite3_finalize(stmt);
    return rc;
}

twx_rc twx_flag_views_renew(twx_db *db) {
    twx_flag_views views;
    twx_template t;
    twx_buf sql;
    twx_rc rc = read_published(db, &views);
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    twx_buf_init(&sql, SQL_BYTES);
    rc = template_of(db, &views, &t);
    if (rc == TWX_OK) rc = twx_buf_add_text(db->cx, &sql, TWX_SQL_VIEW_DROP_FLAG_VIEWS);
    if (rc == TWX_OK) rc = twx_template_fill(db->cx, &sql, TWX_SQL_VIEW_FLAG_VIEWS, &t);
    if (rc == TWX_OK) rc = twx_db_script(db, sql.p);
    twx_buf_done(&sql);
    return rc;
}

twx_rc twx_flag_views_temporary(twx_db *db, const twx_flag_views *views) {
    twx_template t;
    twx_buf sql;
    twx_buf_init(&sql, SQL_BYTES);
    twx_rc rc = template_of(db, views, &t);
    t.temporary = true;
    if (rc == TWX_OK) rc = twx_schema_version(db, &t.schema);
    if (rc == TWX_OK) rc = twx_template_fill(db->cx, &sql, TWX_SQL_VIEW_FLAG_VIEWS, &t);
    if (rc == TWX_OK) rc = twx_db_script_writable(db, sql.p);
    twx_buf_done(&sql);
    return rc;
}
