#include "store/removal.h"

#include "sql_text.h"
#include "store/stmt.h"
#include "store/text_functions.h"

enum { SCRIPT_BYTES = 1 << 22 };

/* Calls fn with two columns of each row. */
static twx_rc each(twx_db *db, const char *sql, int type, twx_object_fn *fn, void *arg) {
    sqlite3_stmt *list = NULL;
    twx_rc rc = twx_stmt_prepare(db, sql, &list);
    while (rc == TWX_OK && (rc = twx_stmt_step(db, list)) == TWX_OK)
        rc = fn(arg, twx_column_text(list, type), twx_column_text(list, type + 1));
    sqlite3_finalize(list);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_removal_list(twx_db *db, twx_object_fn *fn, void *arg) {
    return each(db, TWX_SQL_QUERY_SCHEMA_REMOVALS, 1, fn, arg);
}

twx_rc twx_referring_list(twx_db *db, twx_object_fn *fn, void *arg) {
    return each(db, TWX_SQL_QUERY_SCHEMA_REFERRING, 0, fn, arg);
}

typedef struct script {
    twx_db *db;
    twx_buf text;
} script;

static twx_rc add_statement(void *arg, twx_slice statement, twx_slice type) {
    script *s = arg;
    (void)type;
    twx_rc rc = twx_buf_add_slice(twx_db_ctx(s->db), &s->text, statement);
    return rc == TWX_OK ? twx_buf_add_text(twx_db_ctx(s->db), &s->text, ";\n") : rc;
}

/* FTS5 needs the tokenizer of the text index even to drop it. */
twx_rc twx_removal_apply(twx_db *db) {
    script s = {.db = db};
    twx_buf_init(&s.text, SCRIPT_BYTES);
    twx_rc rc = twx_text_functions_register(db);
    if (rc == TWX_OK) rc = twx_db_begin(db);
    if (rc == TWX_OK) rc = each(db, TWX_SQL_QUERY_SCHEMA_REMOVALS, 0, add_statement, &s);
    if (rc == TWX_OK && s.text.n) rc = twx_db_script(db, s.text.p);
    if (rc == TWX_OK) rc = twx_db_commit(db);
    if (rc != TWX_OK) twx_db_rollback(db);
    twx_buf_done(&s.text);
    return rc;
}
