#include "store/store.h"

#include "sql_text.h"

enum {
    SWEEP_ROWS = 1000, /* take a few milliseconds */
    ROW_BYTES = 1 << 30
};

/* clang-format off */
#define STATEMENT_TABLE(X)                                                                        \
    X(COUNT, SIGNATURE_COUNT) X(GET, SIGNATURE_GET) X(PUT, SIGNATURE_PUT)                         \
    X(NUMBER, SIGNATURE_NUMBER) X(FINGERPRINT, SIGNATURE_FINGERPRINT) X(DELETE, SIGNATURE_DELETE) \
    X(DOCS, SIGNATURE_DOCS) X(FIND, DOCUMENT_FIND) X(MAKE, DOCUMENT_MAKE) X(ID, DOCUMENT_ID)      \
    X(RANGE, DOCUMENT_RANGE) X(SWEEP, DOCUMENT_SWEEP)
/* clang-format on */

#define PLACE(name, query) name,
typedef enum statement { STATEMENT_TABLE(PLACE) STATEMENTS } statement;

#define TEXT(name, query) [name] = TWX_SQL_QUERY_##query,
static const char *const SQL[STATEMENTS] = {STATEMENT_TABLE(TEXT)};

/* A fingerprint and its number, which never gets another one. */
typedef struct numbered {
    bool known;
    int64_t number;
    uint64_t fingerprint;
} numbered;

struct twx_signatures {
    twx_db *db;
    sqlite3_stmt *stmt[STATEMENTS];
    numbered read; /* the last one */
    twx_buf packed;
};

twx_rc twx_signatures_open(twx_db *db, twx_signatures **ret_signatures) {
    twx_signatures *s = twx_calloc(db->cx, 1, sizeof *s);
    if (!s) return TWX_E_NOMEM;
    s->db = db;
    twx_buf_init(&s->packed, ROW_BYTES);
    *ret_signatures = s;
    return TWX_OK;
}

/* Statements are prepared when they are first needed, because a reader may not even prepare one
 * that writes. The values are bound; what was read before is released. */
static twx_rc need(twx_signatures *s, statement which, const twx_value *values, size_t n,
                   sqlite3_stmt **ret_stmt) {
    twx_rc rc = s->stmt[which] ? TWX_OK : twx_stmt_prepare(s->db, SQL[which], &s->stmt[which]);
    *ret_stmt = s->stmt[which];
    sqlite3_reset(*ret_stmt);
    return rc == TWX_OK ? twx_bind(s->db, *ret_stmt, values, n) : rc;
}

/* Runs a statement that writes. */
static twx_rc change(twx_signatures *s, statement which, const twx_value *values, size_t n) {
    sqlite3_stmt *stmt = NULL;
    const twx_rc rc = need(s, which, values, n, &stmt);
    return rc == TWX_OK ? twx_stmt_run(s->db, stmt) : rc;
}

void twx_signatures_close(twx_signatures *s) {
    if (!s) return;
    for (size_t i = 0; i < STATEMENTS; i++) sqlite3_finalize(s->stmt[i]);
    twx_buf_done(&s->packed);
    twx_free(s);
}

void twx_signatures_release(twx_signatures *s) {
    sqlite3_reset(s->stmt[GET]);
    sqlite3_reset(s->stmt[ID]);
}

/* The first column of the first row. TWX_DONE: no row. */
static twx_rc one_integer(twx_signatures *s, statement which, const twx_value *bound,
                          int64_t *ret_value) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = need(s, which, bound, bound != NULL, &stmt);
    if (rc == TWX_OK) rc = twx_stmt_step(s->db, stmt);
    if (rc == TWX_OK) {
        *ret_value = sqlite3_column_int64(stmt, 0);
        sqlite3_reset(stmt);
    }
    return rc;
}

twx_rc twx_signatures_count(twx_signatures *s, uint64_t *ret_count) {
    int64_t count = 0;
    twx_rc rc = one_integer(s, COUNT, NULL, &count);
    if (rc == TWX_OK) *ret_count = (uint64_t)count;
    return rc;
}

/* *ret_fingerprint: 0, which no signature was made with, if the number has none. */
static twx_rc find_fingerprint(twx_signatures *s, int64_t number, uint64_t *ret_fingerprint) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = TWX_OK;
    *ret_fingerprint = s->read.fingerprint;
    if (s->read.known && s->read.number == number) return rc;
    rc = need(s, FINGERPRINT, TWX_VALUES(twx_int(number)), &stmt);
    if (rc == TWX_OK) rc = twx_stmt_step(s->db, stmt);
    if (rc == TWX_OK) s->read = (numbered){true, number, (uint64_t)sqlite3_column_int64(stmt, 0)};
    *ret_fingerprint = rc == TWX_OK ? s->read.fingerprint : 0;
    sqlite3_reset(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* packed: the number of bytes of the facts, the facts, the record */
static twx_rc read_stored(twx_signatures *s, sqlite3_stmt *stmt, twx_stored *ret_stored) {
    twx_stored row = {
        .doc = sqlite3_column_int64(stmt, 0),
        .has_token = sqlite3_column_type(stmt, 1) != SQLITE_NULL,
        .token = (uint64_t)sqlite3_column_int64(stmt, 1),
        .record = twx_column_blob(stmt, 3),
    };
    uint64_t facts = 0;
    const twx_rc rc = find_fingerprint(s, sqlite3_column_int64(stmt, 2), &row.fingerprint);
    if (rc != TWX_OK) return rc;
    if (twx_take_number(&row.record, UINT32_MAX, &facts) || facts > row.record.n)
        return twx_fail(s->db->cx, TWX_E_CORRUPT, TWX_DAMAGED_ROW "it cannot be unpacked");
    row.facts = twx_slice_sub(row.record, 0, facts);
    row.record = twx_slice_sub(row.record, facts, row.record.n);
    *ret_stored = row;
    return TWX_OK;
}

twx_rc twx_signatures_get(twx_signatures *s, int64_t doc, twx_stored *ret_stored) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = need(s, GET, TWX_VALUES(twx_int(doc)), &stmt);
    if (rc == TWX_OK) rc = twx_stmt_step(s->db, stmt);
    return rc == TWX_OK ? read_stored(s, stmt, ret_stored) : rc;
}

static twx_rc run_put(twx_signatures *s, const twx_stored *stored) {
    const twx_value row = {.type = TWX_BLOB, .bytes = twx_buf_slice(&s->packed)};
    return change(s, PUT,
                  TWX_VALUES(twx_int(stored->doc),
                             twx_int_if(stored->has_token, (int64_t)stored->token),
                             twx_int((int64_t)stored->fingerprint), row));
}

twx_rc twx_signatures_put(twx_signatures *s, const twx_stored *stored) {
    twx_buf_clear(&s->packed);
    twx_rc rc = twx_buf_add_number(s->db->cx, &s->packed, stored->facts.n);
    if (rc == TWX_OK) rc = twx_buf_add_slice(s->db->cx, &s->packed, stored->facts);
    if (rc == TWX_OK) rc = twx_buf_add_slice(s->db->cx, &s->packed, stored->record);
    sqlite3_reset(s->stmt[GET]); /* it may be reading the row that is replaced */
    if (rc == TWX_OK) rc = run_put(s, stored);
    if (rc != TWX_OK || sqlite3_changes(s->db->handle) > 0) return rc;
    s->read.known = false; /* the transaction that makes a number may be rolled back */
    rc = change(s, NUMBER, TWX_VALUES(twx_int((int64_t)stored->fingerprint)));
    return rc == TWX_OK ? run_put(s, stored) : rc;
}

twx_rc twx_signatures_delete(twx_signatures *s, int64_t doc) {
    sqlite3_reset(s->stmt[GET]);
    return change(s, DELETE, TWX_VALUES(twx_int(doc)));
}

struct twx_signatures_cursor {
    twx_signatures *signatures;
    sqlite3_stmt *stmt;
    twx_ctx *before; /* of the connection */
};

twx_rc twx_signatures_cursor_open(twx_signatures *s, bool direct, twx_ctx *cx,
                                  twx_signatures_cursor **ret_cursor) {
    twx_signatures_cursor *c = twx_calloc(cx, 1, sizeof *c);
    if (!c) return TWX_E_NOMEM;
    c->signatures = s;
    c->before = s->db->cx;
    s->db->cx = cx;
    twx_rc rc = twx_stmt_prepare(
        s->db, direct ? TWX_SQL_QUERY_SIGNATURE_EACH_DIRECT : TWX_SQL_QUERY_SIGNATURE_EACH_MAPPED,
        &c->stmt);
    TWX_HAND_OVER(rc, ret_cursor, c, twx_signatures_cursor_close(c));
    return rc;
}

twx_rc twx_signatures_cursor_next(twx_signatures_cursor *c, twx_stored *ret_stored,
                                  twx_value *ret_id) {
    enum { ID_COLUMN = 4 };
    twx_rc rc = twx_stmt_step(c->signatures->db, c->stmt);
    if (rc == TWX_OK) rc = read_stored(c->signatures, c->stmt, ret_stored);
    if (rc == TWX_OK) *ret_id = twx_column_value(c->stmt, ID_COLUMN);
    return rc;
}

void twx_signatures_cursor_close(twx_signatures_cursor *c) {
    if (!c) return;
    sqlite3_finalize(c->stmt);
    c->signatures->db->cx = c->before;
    twx_free(c);
}

twx_rc twx_signatures_each(twx_signatures *s, bool direct, twx_stored_fn *fn, void *arg) {
    twx_signatures_cursor *c = NULL;
    twx_stored stored;
    twx_value id;
    twx_rc rc = twx_signatures_cursor_open(s, direct, s->db->cx, &c);
    while (rc == TWX_OK && (rc = twx_signatures_cursor_next(c, &stored, &id)) == TWX_OK)
        rc = fn(arg, &stored);
    twx_signatures_cursor_close(c);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_signatures_docs(twx_signatures *s, int64_t after, int64_t *ret_docs, size_t limit,
                           size_t *ret_n) {
    sqlite3_stmt *stmt = NULL;
    const twx_rc rc = need(s, DOCS, TWX_VALUES(twx_int(after), twx_int((int64_t)limit)), &stmt);
    return rc == TWX_OK ? twx_stmt_integers(s->db, stmt, ret_docs, ret_n) : rc;
}

twx_rc twx_signatures_range(twx_signatures *s, int64_t *ret_first, int64_t *ret_last) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_db_row(s->db, TWX_SQL_QUERY_SIGNATURE_RANGE, NULL, 0, &stmt);
    if (rc == TWX_OK) {
        *ret_first = sqlite3_column_int64(stmt, 0);
        *ret_last = sqlite3_column_int64(stmt, 1);
    }
    sqlite3_finalize(stmt);
    return rc;
}

/* If the turn is over, ends it and begins another: one transaction for all rows would keep them in
 * memory. */
static twx_rc next_turn(twx_signatures *s, twx_rc rc) {
    if (rc == TWX_OK && !twx_turn_is_over(s->db)) return rc;
    rc = twx_turn_end(s->db, rc, false);
    return rc == TWX_OK ? twx_turn_begin(s->db) : rc;
}

static twx_rc copy_row(void *to, const twx_stored *stored) {
    return next_turn(to, twx_signatures_put(to, stored));
}

static twx_rc copy_documents(twx_signatures *from, twx_signatures *to) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(from->db, TWX_SQL_QUERY_DOCUMENT_EACH, &stmt);
    while (rc == TWX_OK && (rc = twx_stmt_step(from->db, stmt)) == TWX_OK) {
        const int64_t doc = sqlite3_column_int64(stmt, 0);
        const twx_value id = twx_column_value(stmt, 1);
        int64_t put = 0;
        rc = next_turn(to, twx_document_put(to, &doc, &id, &put));
    }
    return twx_stmt_end(stmt, rc);
}

twx_rc twx_signatures_copy(twx_signatures *from, twx_signatures *to) {
    twx_rc rc = twx_turn_begin(to->db);
    if (rc == TWX_OK) rc = twx_signatures_each(from, true, copy_row, to);
    if (rc == TWX_OK) rc = copy_documents(from, to);
    return twx_turn_end(to->db, rc, false);
}

twx_rc twx_document_find(twx_signatures *s, const twx_value *id, int64_t *ret_doc) {
    twx_rc rc = one_integer(s, FIND, id, ret_doc);
    if (rc == TWX_OK && *ret_doc == INT64_MIN)
        return twx_fail(
            s->db->cx, TWX_E_CORRUPT,
            "%s: twindex_document has the number %" PRId64
            ", which no document gets: delete that row with sqlite3, then 'twindex run'",
            s->db->path, INT64_MIN);
    return rc;
}

twx_rc twx_document_make(twx_signatures *s, const twx_value *id, int64_t *ret_doc) {
    twx_rc rc = twx_document_find(s, id, ret_doc);
    return rc == TWX_DONE ? twx_document_put(s, NULL, id, ret_doc) : rc;
}

twx_rc twx_document_put(twx_signatures *s, const int64_t *doc, const twx_value *id,
                        int64_t *ret_doc) {
    const twx_rc rc = change(s, MAKE, TWX_VALUES(*id, twx_int_if(doc, doc ? *doc : 0)));
    if (rc == TWX_OK) *ret_doc = sqlite3_last_insert_rowid(s->db->handle);
    return rc;
}

twx_rc twx_document_id(twx_signatures *s, int64_t doc, twx_value *ret_id) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = need(s, ID, TWX_VALUES(twx_int(doc)), &stmt);
    if (rc == TWX_OK) rc = twx_stmt_step(s->db, stmt);
    if (rc == TWX_OK) *ret_id = twx_column_value(stmt, 0);
    return rc;
}

/* TWX_DONE: there are no more. */
static twx_rc sweep_range(twx_signatures *s, int64_t *after) {
    sqlite3_stmt *range = NULL;
    twx_rc rc = need(s, RANGE, TWX_VALUES(twx_int(*after), twx_int(SWEEP_ROWS)), &range);
    if (rc == TWX_OK) rc = twx_stmt_step(s->db, range);
    if (rc != TWX_OK) return rc;
    const bool none = sqlite3_column_type(range, 0) == SQLITE_NULL;
    const int64_t last = sqlite3_column_int64(range, 0);
    sqlite3_reset(range);
    if (none) return TWX_DONE;
    rc = change(s, SWEEP, TWX_VALUES(twx_int(*after), twx_int(last)));
    *after = last;
    return rc;
}

twx_rc twx_document_sweep(twx_signatures *s) {
    int64_t after = INT64_MIN;
    twx_rc rc = TWX_OK;
    sqlite3_reset(s->stmt[ID]);
    while (rc == TWX_OK) {
        rc = twx_turn_begin(s->db);
        while (rc == TWX_OK && !twx_turn_is_over(s->db)) rc = sweep_range(s, &after);
        const bool done = rc == TWX_DONE;
        rc = twx_turn_end(s->db, done ? TWX_OK : rc, false);
        if (done) break;
    }
    return rc;
}
