#include "store/removal.h"

#include "sql_text.h"
#include "store/stmt.h"
#include "store/text_functions.h"

enum { SCRIPT_BYTES = 1 << 22 };

twx_rc twx_removal_list(twx_db *db, twx_removal_fn *fn, void *arg) {
    sqlite3_stmt *list = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_SCHEMA_REMOVALS, &list);
    while (rc == TWX_OK && (rc = twx_stmt_step(db, list)) == TWX_OK) {
        const twx_removal_row row = {.drop = twx_column_text(list, 0),
                                     .type = twx_column_text(list, 1),
                                     .name = twx_column_text(list, 2)};
        rc = fn(arg, &row);
    }
    sqlite3_finalize(list);
    return rc == TWX_DONE ? TWX_OK : rc;
}

typedef struct script {
    twx_db *db;
    twx_buf text;
} script;

static twx_rc add_statement(void *arg, const twx_removal_row *row) {
    script *s = arg;
    if (!row->drop.p) return TWX_OK;
    twx_rc rc = twx_buf_add_slice(twx_db_ctx(s->db), &s->text, row->drop);
    return rc == TWX_OK ? twx_buf_add_text(twx_db_ctx(s->db), &s->text, ";\n") : rc;
}

/* FTS5 needs the tokenizer of the text index even to drop it. */
twx_rc twx_removal_apply(twx_db *db) {
    script s = {.db = db};
    twx_buf_init(&s.text, SCRIPT_BYTES);
    twx_rc rc = twx_text_functions_register(db);
    if (rc == TWX_OK) rc = twx_db_begin(db);
    if (rc == TWX_OK) rc = twx_removal_list(db, add_statement, &s);
    if (rc == TWX_OK && s.text.n) rc = twx_db_script(db, s.text.p);
    if (rc == TWX_OK) rc = twx_db_commit(db);
    if (rc != TWX_OK) twx_db_rollback(db);
    twx_buf_done(&s.text);
    return rc;
}
