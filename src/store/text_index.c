#include "store/text_index.h"

#include "base/alloc.h"
#include "sql_text.h"
#include "store/stmt.h"

enum { BATCH_ROWS = 10000 };

struct twx_text_index {
    twx_db *db;
    sqlite3_stmt *slots, *count, *forget, *slot, *put;
};

twx_rc twx_text_index_has(twx_db *db, bool *ret_has) {
    return twx_db_has(db, "twindex_text_slot", ret_has);
}

twx_rc twx_text_index_make(twx_db *db) {
    if (!sqlite3_compileoption_used("ENABLE_FTS5"))
        return twx_fail(twx_db_ctx(db), TWX_E_CONFIG,
                        "this SQLite has no FTS5: there can be no text index");
    return twx_db_transact(db, TWX_SQL_SCHEMA_0005_TEXT);
}

twx_rc twx_text_index_drop(twx_db *db) {
    return twx_db_transact(db, TWX_SQL_SCHEMA_DROP_TEXT);
}

twx_rc twx_text_index_open(twx_db *db, twx_text_index **ret_index) {
    twx_rc rc = TWX_OK;
    twx_text_index *x = twx_calloc(twx_db_ctx(db), 1, sizeof *x);
    if (!x) return TWX_E_NOMEM;
    x->db = db;
    const twx_stmt_row statements[] = {{TWX_SQL_QUERY_TEXT_SLOTS, &x->slots},
                                       {TWX_SQL_QUERY_TEXT_COUNT, &x->count},
                                       {TWX_SQL_QUERY_TEXT_FORGET, &x->forget},
                                       {TWX_SQL_QUERY_TEXT_SLOT, &x->slot},
                                       {TWX_SQL_QUERY_TEXT_PUT, &x->put}};
    if (rc == TWX_OK) rc = twx_stmts_prepare(db, statements, TWX_COUNTOF(statements));
    if (rc != TWX_OK) {
        twx_text_index_close(x);
        return rc;
    }
    *ret_index = x;
    return TWX_OK;
}

void twx_text_index_close(twx_text_index *x) {
    if (!x) return;
    sqlite3_stmt *all[] = {x->slots, x->count, x->forget, x->slot, x->put};
    for (size_t i = 0; i < TWX_COUNTOF(all); i++) sqlite3_finalize(all[i]);
    twx_free(x);
}

twx_rc twx_text_index_count(twx_text_index *x, uint64_t *ret_documents, uint64_t *ret_slots) {
    twx_rc rc = twx_stmt_step(x->db, x->count);
    if (rc != TWX_OK) return rc;
    *ret_documents = (uint64_t)sqlite3_column_int64(x->count, 0);
    *ret_slots = (uint64_t)sqlite3_column_int64(x->count, 1);
    sqlite3_reset(x->count);
    return TWX_OK;
}

/* TWX_DONE: this was the last batch. */
static twx_rc read_batch(twx_text_index *x, int64_t *after, twx_text_slot_fn *fn, void *arg) {
    size_t rows = 0;
    twx_rc rc = twx_bind_int(x->db, x->slots, 1, *after);
    if (rc == TWX_OK) rc = twx_bind_int(x->db, x->slots, 2, BATCH_ROWS);
    while (rc == TWX_OK && (rc = twx_stmt_step(x->db, x->slots)) == TWX_OK) {
        rows++;
        *after = sqlite3_column_int64(x->slots, 0);
        rc = fn(arg, sqlite3_column_int64(x->slots, 1),
                (uint64_t)sqlite3_column_int64(x->slots, 2));
    }
    sqlite3_reset(x->slots);
    return rc == TWX_DONE && rows == BATCH_ROWS ? TWX_OK : rc;
}

twx_rc twx_text_index_each(twx_text_index *x, twx_text_slot_fn *fn, void *arg) {
    int64_t after = 0;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK) {
        rc = twx_cancelled(twx_db_ctx(x->db));
        if (rc == TWX_OK) rc = read_batch(x, &after, fn, arg);
    }
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_text_index_forget(twx_text_index *x, int64_t doc) {
    twx_rc rc = twx_bind_int(x->db, x->forget, 1, doc);
    return rc == TWX_OK ? twx_stmt_run(x->db, x->forget) : rc;
}

twx_rc twx_text_index_put(twx_text_index *x, const twx_text_entry *entry) {
    twx_rc rc = twx_text_index_forget(x, entry->doc);
    if (rc == TWX_OK) rc = twx_bind_int(x->db, x->slot, 1, entry->doc);
    if (rc == TWX_OK) rc = twx_bind_int(x->db, x->slot, 2, (int64_t)entry->hash);
    if (rc == TWX_OK) rc = twx_stmt_run(x->db, x->slot);
    if (rc == TWX_OK) rc = twx_bind_int(x->db, x->put, 1, sqlite3_last_insert_rowid(x->db->handle));
    if (rc == TWX_OK) rc = twx_bind_text(x->db, x->put, 2, entry->title);
    if (rc == TWX_OK) rc = twx_bind_text(x->db, x->put, 3, entry->text);
    return rc == TWX_OK ? twx_stmt_run(x->db, x->put) : rc;
}
