#include "store/flag_views.h"

#include "base/buf.h"
#include "sql_text.h"
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

twx_rc twx_flag_views_temporary(twx_db *db, const twx_flag_views *views) {
    twx_template t;
    twx_buf sql;
    twx_buf_init(&sql, SQL_BYTES);
    twx_rc rc = template_of(db, views, &t);
    t.temporary = true;
    if (rc == TWX_OK) rc = twx_template_fill(db->cx, &sql, TWX_SQL_VIEW_FLAG_VIEWS, &t);
    if (rc == TWX_OK) rc = twx_db_script_writable(db, sql.p);
    twx_buf_done(&sql);
    return rc;
}
