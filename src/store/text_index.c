#include "store/text_index.h"

#include "base/alloc.h"
#include "sql_text.h"
#include "store/stmt.h"
#include "store/text_functions.h"

enum { BATCH_ROWS = 10000, MERGED_PAGES = 64 };

struct twx_text_index {
    twx_db *db;
    sqlite3_stmt *slots, *count, *forget, *slot, *put, *merge, *add_language;
};

/* ---- the index as a whole -------------------------------------------------- */

/* The fingerprint of this program's terms. */
static twx_rc fingerprint_of(twx_db *db, char ret_text[TWX_TERMS_FINGERPRINT]) {
    const twx_rc rc = twx_terms_fingerprint(twx_text_terms(db), ret_text);
    return rc == TWX_OK ? rc : twx_fail(twx_db_ctx(db), rc, "out of memory for stemmers");
}

/* Compares the stored fingerprint with that of this program. */
static twx_rc read_state(twx_db *db, bool *ret_same, uint32_t *ret_languages) {
    char text[TWX_TERMS_FINGERPRINT];
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = fingerprint_of(db, text);
    if (rc == TWX_OK) rc = twx_stmt_prepare(db, TWX_SQL_QUERY_TEXT_STATE, &stmt);
    if (rc == TWX_OK) rc = twx_stmt_step(db, stmt);
    *ret_same = rc == TWX_OK && twx_slice_eq(twx_column_text(stmt, 0), twx_slice_of(text));
    if (rc == TWX_OK) *ret_languages = (uint32_t)sqlite3_column_int64(stmt, 1);
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_text_index_look(twx_db *db, twx_text_index_state *ret_state) {
    bool has = false, same = false;
    uint32_t languages = 0;
    twx_rc rc = twx_db_has(db, "twindex_text_slot", &has);
    if (rc == TWX_OK && has) rc = twx_text_functions_register(db);
    if (rc == TWX_OK && has) rc = read_state(db, &same, &languages);
    if (rc != TWX_OK) return rc;
    if (same) twx_terms_set_languages(twx_text_terms(db), languages);
    *ret_state = !has ? TWX_TEXT_NONE : same ? TWX_TEXT_READY : TWX_TEXT_OTHER;
    return TWX_OK;
}

twx_rc twx_text_index_require(twx_db *db) {
    twx_text_index_state state = TWX_TEXT_NONE;
    twx_rc rc = twx_text_index_look(db, &state);
    if (rc != TWX_OK || state == TWX_TEXT_READY) return rc;
    if (state == TWX_TEXT_NONE)
        return twx_fail(twx_db_ctx(db), TWX_E_DATA,
                        "%s: there is no text index yet: 'twindex index' makes it",
                        twx_db_path(db));
    return twx_fail(twx_db_ctx(db), TWX_E_DATA,
                    "%s: the text index was made by another version of twindex: 'twindex index' "
                    "rebuilds it",
                    twx_db_path(db));
}

static twx_rc write_state(twx_db *db) {
    char text[TWX_TERMS_FINGERPRINT];
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = fingerprint_of(db, text);
    if (rc == TWX_OK) rc = twx_stmt_prepare(db, TWX_SQL_QUERY_TEXT_BEGIN, &stmt);
    if (rc == TWX_OK) rc = twx_bind_text(db, stmt, 1, twx_slice_of(text));
    if (rc == TWX_OK) rc = twx_stmt_run(db, stmt);
    sqlite3_finalize(stmt);
    return rc;
}

twx_rc twx_text_index_make(twx_db *db) {
    twx_rc rc = twx_text_functions_register(db);
    if (rc == TWX_OK) rc = twx_db_begin(db);
    if (rc != TWX_OK) return rc;
    rc = twx_db_script(db, TWX_SQL_SCHEMA_TEXT);
    if (rc == TWX_OK) rc = write_state(db);
    if (rc == TWX_OK) rc = twx_db_commit(db);
    if (rc != TWX_OK) twx_db_rollback(db);
    return rc;
}

/* FTS5 needs the tokenizer of a table even to drop it. */
twx_rc twx_text_index_drop(twx_db *db) {
    twx_rc rc = twx_text_functions_register(db);
    return rc == TWX_OK ? twx_db_transact(db, TWX_SQL_SCHEMA_DROP_TEXT) : rc;
}

twx_rc twx_text_index_open(twx_db *db, twx_text_index **ret_index) {
    twx_text_index *x = twx_calloc(twx_db_ctx(db), 1, sizeof *x);
    if (!x) return TWX_E_NOMEM;
    x->db = db;
    const twx_stmt_row statements[] = {{TWX_SQL_QUERY_TEXT_SLOTS, &x->slots},
                                       {TWX_SQL_QUERY_TEXT_COUNT, &x->count},
                                       {TWX_SQL_QUERY_TEXT_FORGET, &x->forget},
                                       {TWX_SQL_QUERY_TEXT_SLOT, &x->slot},
                                       {TWX_SQL_QUERY_TEXT_PUT, &x->put},
                                       {TWX_SQL_QUERY_TEXT_MERGE, &x->merge},
                                       {TWX_SQL_QUERY_TEXT_ADD_LANGUAGE, &x->add_language}};
    twx_rc rc = twx_text_functions_register(db);
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
    sqlite3_stmt *all[] = {x->slots, x->count, x->forget,      x->slot,
                           x->put,   x->merge, x->add_language};
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

/* FTS5 counts a merge as two changes or more. */
twx_rc twx_text_index_merge(twx_text_index *x, bool *ret_more) {
    const int64_t before = sqlite3_total_changes64(x->db->handle);
    twx_rc rc = twx_bind_int(x->db, x->merge, 1, MERGED_PAGES);
    if (rc == TWX_OK) rc = twx_stmt_run(x->db, x->merge);
    *ret_more = rc == TWX_OK && sqlite3_total_changes64(x->db->handle) - before >= 2;
    return rc;
}

/* Records the language, because queries are stemmed only in the languages of the index. The store
 * is asked each time: what this process knew would be wrong after a rollback. */
static twx_rc note_language(twx_text_index *x, unsigned language) {
    if (language == TWX_LANGUAGE_NONE) return TWX_OK;
    twx_rc rc = twx_bind_int(x->db, x->add_language, 1, (int64_t)1 << language);
    return rc == TWX_OK ? twx_stmt_run(x->db, x->add_language) : rc;
}

twx_rc twx_text_index_put(twx_text_index *x, const twx_text_entry *entry) {
    twx_rc rc = twx_text_index_forget(x, entry->doc);
    if (rc == TWX_OK) rc = note_language(x, entry->language);
    twx_terms_set_language(twx_text_terms(x->db), entry->language);
    if (rc == TWX_OK) rc = twx_bind_int(x->db, x->slot, 1, entry->doc);
    if (rc == TWX_OK) rc = twx_bind_int(x->db, x->slot, 2, (int64_t)entry->hash);
    if (rc == TWX_OK) rc = twx_stmt_run(x->db, x->slot);
    if (rc == TWX_OK) rc = twx_bind_int(x->db, x->put, 1, sqlite3_last_insert_rowid(x->db->handle));
    if (rc == TWX_OK) rc = twx_bind_text(x->db, x->put, 2, entry->title);
    if (rc == TWX_OK) rc = twx_bind_text(x->db, x->put, 3, entry->text);
    return rc == TWX_OK ? twx_stmt_run(x->db, x->put) : rc;
}
