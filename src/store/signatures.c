#include "store/signatures.h"

#include "base/alloc.h"
#include "sql_text.h"
#include "store/stmt.h"

typedef enum statement {
    COUNT, GET, PUT, DELETE, DOCS, FIND, MAKE, ID, SWEEP, MARK, LIST, TAKEN, STATEMENTS
} statement;

static const char *const SQL[STATEMENTS] = {
    [COUNT] = TWX_SQL_QUERY_SIGNATURE_COUNT,   [GET] = TWX_SQL_QUERY_SIGNATURE_GET,
    [PUT] = TWX_SQL_QUERY_SIGNATURE_PUT,       [DELETE] = TWX_SQL_QUERY_SIGNATURE_DELETE,
    [DOCS] = TWX_SQL_QUERY_SIGNATURE_DOCS,     [FIND] = TWX_SQL_QUERY_DOCUMENT_FIND,
    [MAKE] = TWX_SQL_QUERY_DOCUMENT_MAKE,      [ID] = TWX_SQL_QUERY_DOCUMENT_ID,
    [SWEEP] = TWX_SQL_QUERY_DOCUMENT_SWEEP,  [MARK] = TWX_SQL_QUERY_CHANGE_LAST,
    [LIST] = TWX_SQL_QUERY_CHANGE_LIST,        [TAKEN] = TWX_SQL_QUERY_CHANGE_FORGET,
};

struct twx_signatures {
    twx_db *db;
    sqlite3_stmt *stmt[STATEMENTS];
};

twx_rc twx_signatures_open(twx_db *writer, twx_signatures **ret_signatures) {
    twx_signatures *s = twx_calloc(writer->cx, 1, sizeof *s);
    bool queue = false; /* only our own schema has one */
    if (!s) return TWX_E_NOMEM;
    s->db = writer;
    twx_rc rc = twx_db_has(writer, "twindex_change", &queue);
    for (size_t i = 0; rc == TWX_OK && i < STATEMENTS; i++)
        if (i < MARK || queue) rc = twx_stmt_prepare(writer, SQL[i], &s->stmt[i]);
    if (rc != TWX_OK) {
        twx_signatures_close(s);
        return rc;
    }
    *ret_signatures = s;
    return TWX_OK;
}

void twx_signatures_close(twx_signatures *s) {
    if (!s) return;
    for (size_t i = 0; i < STATEMENTS; i++) sqlite3_finalize(s->stmt[i]);
    twx_free(s);
}

/* Steps a statement for one row; the caller resets it when it has read the columns. */
static twx_rc one_integer(twx_signatures *s, statement which, int64_t *ret_value) {
    sqlite3_stmt *stmt = s->stmt[which];
    twx_rc rc = twx_stmt_step(s->db, stmt);
    if (rc == TWX_OK) {
        *ret_value = sqlite3_column_int64(stmt, 0);
        sqlite3_reset(stmt);
    }
    return rc;
}

twx_rc twx_signatures_count(twx_signatures *s, uint64_t *ret_count) {
    int64_t count = 0;
    twx_rc rc = one_integer(s, COUNT, &count);
    if (rc == TWX_OK) *ret_count = (uint64_t)count;
    return rc;
}

static void read_stored(sqlite3_stmt *stmt, twx_stored *ret_stored) {
    *ret_stored = (twx_stored){
        .doc = sqlite3_column_int64(stmt, 0),
        .has_token = sqlite3_column_type(stmt, 1) != SQLITE_NULL,
        .token = (uint64_t)sqlite3_column_int64(stmt, 1),
        .fingerprint = (uint64_t)sqlite3_column_int64(stmt, 2),
        .facts = twx_column_blob(stmt, 3),
        .keys = twx_column_blob(stmt, 4),
    };
}

twx_rc twx_signatures_get(twx_signatures *s, int64_t doc, twx_stored *ret_stored) {
    sqlite3_stmt *stmt = s->stmt[GET];
    sqlite3_reset(stmt);
    twx_rc rc = twx_bind_int(s->db, stmt, 1, doc);
    if (rc == TWX_OK) rc = twx_stmt_step(s->db, stmt);
    if (rc == TWX_OK) read_stored(stmt, ret_stored);
    return rc;
}

twx_rc twx_signatures_put(twx_signatures *s, const twx_stored *stored) {
    sqlite3_stmt *stmt = s->stmt[PUT];
    sqlite3_reset(s->stmt[GET]); /* its row may be the one that is replaced */
    twx_rc rc = twx_bind_int(s->db, stmt, 1, stored->doc);
    if (rc == TWX_OK && stored->has_token) rc = twx_bind_int(s->db, stmt, 2, (int64_t)stored->token);
    if (rc == TWX_OK) rc = twx_bind_int(s->db, stmt, 3, (int64_t)stored->fingerprint);
    if (rc == TWX_OK) rc = twx_bind_blob(s->db, stmt, 4, stored->facts);
    if (rc == TWX_OK) rc = twx_bind_blob(s->db, stmt, 5, stored->keys);
    return rc == TWX_OK ? twx_stmt_run(s->db, stmt) : rc;
}

static twx_rc run_with_doc(twx_signatures *s, statement which, int64_t doc) {
    twx_rc rc = twx_bind_int(s->db, s->stmt[which], 1, doc);
    return rc == TWX_OK ? twx_stmt_run(s->db, s->stmt[which]) : rc;
}

twx_rc twx_signatures_delete(twx_signatures *s, int64_t doc) {
    sqlite3_reset(s->stmt[GET]);
    return run_with_doc(s, DELETE, doc);
}

twx_rc twx_signatures_each(twx_signatures *s, bool direct, twx_stored_fn *fn, void *arg) {
    sqlite3_stmt *stmt = NULL;
    twx_stored stored;
    twx_rc rc = twx_stmt_prepare(s->db, direct ? TWX_SQL_QUERY_SIGNATURE_EACH_DIRECT : TWX_SQL_QUERY_SIGNATURE_EACH_MAPPED,
                                 &stmt);
    while (rc == TWX_OK) {
        rc = twx_stmt_step(s->db, stmt);
        if (rc != TWX_OK) break;
        read_stored(stmt, &stored);
        rc = fn(arg, &stored);
    }
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc collect_docs(twx_db *db, sqlite3_stmt *stmt, int64_t *ret_docs, size_t *ret_n) {
    twx_rc rc = TWX_OK;
    size_t n = 0;
    while (rc == TWX_OK) {
        rc = twx_stmt_step(db, stmt);
        if (rc == TWX_OK) ret_docs[n++] = sqlite3_column_int64(stmt, 0);
    }
    *ret_n = n;
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_signatures_docs(twx_signatures *s, int64_t after, int64_t *ret_docs, size_t limit, size_t *ret_n) {
    sqlite3_stmt *stmt = s->stmt[DOCS];
    twx_rc rc = twx_bind_int(s->db, stmt, 1, after);
    if (rc == TWX_OK) rc = twx_bind_int(s->db, stmt, 2, (int64_t)limit);
    return rc == TWX_OK ? collect_docs(s->db, stmt, ret_docs, ret_n) : rc;
}

twx_rc twx_document_find(twx_signatures *s, const twx_value *id, int64_t *ret_doc) {
    twx_rc rc = twx_bind_value(s->db, s->stmt[FIND], 1, id);
    return rc == TWX_OK ? one_integer(s, FIND, ret_doc) : rc;
}

twx_rc twx_document_make(twx_signatures *s, const twx_value *id, int64_t *ret_doc) {
    twx_rc rc = twx_document_find(s, id, ret_doc);
    if (rc != TWX_DONE) return rc;
    rc = twx_bind_value(s->db, s->stmt[MAKE], 1, id);
    if (rc == TWX_OK) rc = twx_stmt_run(s->db, s->stmt[MAKE]);
    if (rc == TWX_OK) *ret_doc = sqlite3_last_insert_rowid(s->db->handle);
    return rc;
}

twx_rc twx_document_id(twx_signatures *s, int64_t doc, twx_value *ret_id) {
    sqlite3_stmt *stmt = s->stmt[ID];
    sqlite3_reset(stmt);
    twx_rc rc = twx_bind_int(s->db, stmt, 1, doc);
    if (rc == TWX_OK) rc = twx_stmt_step(s->db, stmt);
    if (rc == TWX_OK) *ret_id = twx_column_value(stmt, 0);
    return rc;
}

twx_rc twx_document_sweep(twx_signatures *s) {
    sqlite3_reset(s->stmt[ID]);
    return twx_stmt_run(s->db, s->stmt[SWEEP]);
}

twx_rc twx_changes_mark(twx_signatures *s, int64_t *ret_mark) {
    *ret_mark = 0;
    twx_rc rc = one_integer(s, MARK, ret_mark);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_changes_list(twx_signatures *s, int64_t mark, int64_t after, int64_t *ret_docs, size_t limit,
                        size_t *ret_n) {
    sqlite3_stmt *stmt = s->stmt[LIST];
    twx_rc rc = twx_bind_int(s->db, stmt, 1, mark);
    if (rc == TWX_OK) rc = twx_bind_int(s->db, stmt, 2, after);
    if (rc == TWX_OK) rc = twx_bind_int(s->db, stmt, 3, (int64_t)limit);
    return rc == TWX_OK ? collect_docs(s->db, stmt, ret_docs, ret_n) : rc;
}

twx_rc twx_changes_forget(twx_signatures *s, int64_t mark) {
    return run_with_doc(s, TAKEN, mark);
}
