/* The mapped expressions are the user's own SQL, so this file assembles its statements. */

#include "sql_text.h"
#include "store/internal.h"

enum { SQL_BYTES = 1 << 18 };

typedef enum batch_kind {
    FIRST,
    NEXT,
    RANGE,  /* from the view; only few commands read ranges */
    SAMPLE, /* the first rows, whole, from the view */
    BATCH_KINDS
} batch_kind;

#define VIEW "source_document"
#define ROWS "twindex_source_rows" /* a TEMP table with the columns of the view */

static const struct {
    const char *name;
    twx_source_want want; /* the smallest that includes the column */
} COLUMNS[TWX_COLUMNS] = {
#define COLUMN(NAME, name, want, help) {#name, TWX_WANT_##want},
    TWX_SOURCE_COLUMNS(COLUMN)
#undef COLUMN
};

struct twx_source {
    twx_db *db;
    char *select; /* the SELECT of the view */
    bool direct, rowid;
    twx_unshown unshown;
    char beyond[TWX_BEYOND_BYTES]; /* empty: the row alone decides */
    char *shown;                   /* the SELECT for other programs; NULL: none */
    uint64_t fingerprint;
    char *columns[TWX_WANTS]; /* of a SELECT */
    sqlite3_stmt *batch[BATCH_KINDS][TWX_WANTS];
    sqlite3_stmt *fetch;
    sqlite3_stmt *outside;      /* by the id, without texts; prepared when it is needed */
    sqlite3_stmt *text;         /* of one document; prepared when it is needed */
    sqlite3_stmt *fetch_copied; /* from ROWS */
    bool copied;                /* FIRST and NEXT read ROWS, not the view */
    twx_source_want has;        /* the columns that ROWS has; TWX_WANTS: none */
    int64_t version;            /* of the store when ROWS was filled */
};

const char *twx_column_name(size_t column) {
    return column < TWX_COLUMNS ? COLUMNS[column].name : NULL;
}

/* ---- the view ------------------------------------------------------------- */

/* shown: without columns that only Twindex can compute. */
static twx_rc build_select(twx_source *s, const twx_mapping *m, const char *scan_key, bool shown,
                           char **ret_select) {
    twx_ctx *cx = s->db->cx;
    twx_buf sql = {.max = SQL_BYTES};
    twx_rc rc = shown ? twx_buf_add_text(cx, &sql, "SELECT ")
                      : twx_buf_printf(cx, &sql, "SELECT (%s) AS scan_key, ", scan_key);
    /* COLLATE BINARY, because a column with a collation that only the store's own application has
     * would be unreadable. The key keeps its collation, so that its index is used. */
    for (size_t i = 0; rc == TWX_OK && i < TWX_COLUMNS; i++)
        rc = twx_buf_printf(cx, &sql, "%s(%s)%s AS %s", i ? ", " : "",
                            m->map[i] && !(shown && s->unshown.columns[i]) ? m->map[i] : "NULL",
                            i == TWX_COL_ID || !m->map[i] ? "" : " COLLATE BINARY",
                            COLUMNS[i].name);
    if (rc == TWX_OK) rc = twx_buf_printf(cx, &sql, " FROM %s", m->from);
    if (rc == TWX_OK && m->where) rc = twx_buf_printf(cx, &sql, " WHERE (%s)", m->where);
    TWX_HAND_OVER(rc, ret_select, sql.p, twx_buf_done(&sql));
    return rc;
}

/* "scan_key, id, NULL, ...": the columns in order, NULL for those that are not wanted. */
static twx_rc list_columns(twx_source *s) {
    twx_ctx *cx = s->db->cx;
    twx_rc rc = TWX_OK;
    for (size_t want = 0; rc == TWX_OK && want < TWX_WANTS; want++) {
        twx_buf list = {.max = SQL_BYTES};
        rc = twx_buf_add_text(cx, &list, "scan_key");
        for (size_t i = 0; rc == TWX_OK && i < TWX_COLUMNS; i++)
            rc = twx_buf_printf(cx, &list, ", %s",
                                COLUMNS[i].want <= want ? COLUMNS[i].name : "NULL");
        TWX_HAND_OVER(rc, &s->columns[want], list.p, twx_buf_done(&list));
    }
    return rc;
}

/* The outermost parentheses around a column's expression do not hide the rowid from the planner:
 * SQLite removes them while parsing, so the scan stays a range scan of the table. */
static twx_rc prepare_batch(twx_source *s, batch_kind kind, size_t want) {
    static const char *const CONDITIONS[BATCH_KINDS] = {[FIRST] = "IS NOT NULL",
                                                        [NEXT] = "> ?1",
                                                        [RANGE] = ">= ?1 AND scan_key <= ?3",
                                                        [SAMPLE] = "IS NOT NULL"};
    if (s->batch[kind][want]) return TWX_OK;
    return twx_stmt_printf(s->db, &s->batch[kind][want],
                           "SELECT %s FROM %s WHERE scan_key %s ORDER BY scan_key LIMIT ?2",
                           s->columns[want], s->copied && kind <= NEXT ? ROWS : VIEW,
                           CONDITIONS[kind]);
}

static twx_rc prepare_batches(twx_source *s) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < 2 * (size_t)TWX_WANTS; i++) {
        const batch_kind kind = i % 2 ? NEXT : FIRST;
        sqlite3_finalize(s->batch[kind][i / 2]);
        s->batch[kind][i / 2] = NULL;
        rc = prepare_batch(s, kind, i / 2);
    }
    return rc;
}

static twx_rc prepare_whole(twx_source *s, const char *from, sqlite3_stmt **ret_stmt) {
    return twx_stmt_printf(s->db, ret_stmt, "SELECT %s FROM %s", s->columns[TWX_WANT_WHOLE], from);
}

/* ---- the copy, for mappings whose batches would each read the whole store - */

/* The key is indexed after the copy, so that only keys are sorted and texts are not moved. */
static twx_rc fill_copy(twx_source *s, twx_source_want want, bool empty) {
    char *sql = twx_sprintf(
        s->db->cx,
        "DROP TABLE IF EXISTS temp." ROWS "; CREATE TEMP TABLE " ROWS "(%s); INSERT INTO temp." ROWS
        " SELECT %s FROM source_document WHERE scan_key IS NOT NULL%s; CREATE INDEX temp." ROWS
        "_key ON " ROWS "(scan_key)",
        s->columns[TWX_WANT_WHOLE], s->columns[want], empty ? " LIMIT 0" : "");
    s->has = TWX_WANTS;
    twx_rc rc = sql ? twx_db_script_writable(s->db, sql) : TWX_E_NOMEM;
    twx_free(sql);
    return rc;
}

static twx_rc choose_rows(twx_source *s) {
    twx_plan plan = {false, false};
    twx_rc rc = twx_plan_of(s->db, s->batch[NEXT][TWX_WANT_WHOLE], &plan);
    s->copied = plan.repeats;
    if (rc != TWX_OK || !s->copied) return rc;
    rc = fill_copy(s, TWX_WANT_WHOLE, true);
    if (rc == TWX_OK) rc = prepare_whole(s, ROWS " WHERE scan_key = ?1", &s->fetch_copied);
    return rc == TWX_OK ? prepare_batches(s) : rc;
}

/* A new scan sees the current state of the store. Within a scan the copy is kept. */
static twx_rc refresh_copy(twx_source *s, const twx_source_cursor *cursor, twx_source_want want) {
    int64_t version = 0;
    twx_rc rc = twx_db_data_version(s->db, &version);
    bool enough = s->has < TWX_WANTS && s->has >= want;
    if (rc != TWX_OK || (enough && (cursor->begun || version == s->version))) return rc;
    rc = twx_source_room_check(s->db, s->columns[want]);
    if (rc != TWX_OK) return rc;
    rc = fill_copy(s, want, false);
    if (rc == TWX_OK) {
        s->has = want;
        s->version = version;
    }
    /* a row exceeds the row limit: reading batches of the view is slow, but finds that row */
    if (rc == TWX_E_LIMIT) {
        twx_ctx_clear(s->db->cx);
        s->copied = false;
        rc = prepare_batches(s);
    }
    return rc;
}

twx_rc twx_source_open(twx_db *reader, const twx_mapping *m, twx_source **ret_source) {
    twx_ctx *cx = reader->cx;
    twx_source *s = twx_calloc(cx, 1, sizeof *s);
    if (!s) return TWX_E_NOMEM;
    s->db = reader;
    twx_scan_key key;
    char *view = NULL;
    twx_rc rc = twx_mapping_check(reader, m, &s->unshown, s->beyond);
    if (rc == TWX_OK) rc = twx_scan_key_choose(reader, m, &key);
    if (rc == TWX_OK) rc = build_select(s, m, key.expression, false, &s->select);
    if (rc == TWX_OK) {
        s->rowid = key.is_rowid;
        s->direct = key.is_id;
    }
    if (rc == TWX_OK) s->fingerprint = twx_hash64(twx_slice_of(s->select), 0);
    if (rc == TWX_OK && m->own && !(s->shown = twx_strdup(cx, TWX_SQL_PART_OWN_DOCUMENTS)))
        rc = TWX_E_NOMEM;
    if (rc == TWX_OK && !m->own && !s->unshown.rows && !s->unshown.columns[TWX_COL_ID])
        rc = build_select(s, m, key.expression, true, &s->shown);
    if (rc == TWX_OK)
        view = twx_sprintf(
            cx, "DROP VIEW IF EXISTS temp.source_document; CREATE TEMP VIEW source_document AS %s",
            s->select);
    if (rc == TWX_OK) rc = view ? twx_db_script_writable(reader, view) : TWX_E_NOMEM;
    twx_free(view);
    if (rc == TWX_OK) rc = list_columns(s);
    if (rc == TWX_OK) rc = prepare_batches(s);
    if (rc == TWX_OK) rc = prepare_whole(s, VIEW " WHERE scan_key = ?1", &s->fetch);
    if (rc == TWX_OK) rc = choose_rows(s);
    TWX_HAND_OVER(rc, ret_source, s, twx_source_close(s));
    return rc;
}

void twx_source_close(twx_source *s) {
    if (!s) return;
    for (int i = 0; i < TWX_WANTS; i++) {
        for (int kind = 0; kind < BATCH_KINDS; kind++) sqlite3_finalize(s->batch[kind][i]);
        twx_free(s->columns[i]);
    }
    sqlite3_finalize(s->fetch);
    sqlite3_finalize(s->outside);
    sqlite3_finalize(s->text);
    sqlite3_finalize(s->fetch_copied);
    twx_free(s->select);
    twx_free(s->shown);
    twx_free(s);
}

twx_ctx *twx_source_ctx(const twx_source *s) {
    return s->db->cx;
}

bool twx_source_is_direct(const twx_source *s) {
    return s->direct;
}

twx_rc twx_source_check_room(twx_source *s) {
    return s->copied ? twx_source_room_check(s->db, s->columns[TWX_WANT_WHOLE]) : TWX_OK;
}

bool twx_source_is_copied(const twx_source *s) {
    return s->copied;
}

const char *twx_source_beyond(const twx_source *s) {
    return s->beyond[0] ? s->beyond : NULL;
}

bool twx_source_has_ranges(const twx_source *s) {
    return s->rowid && !s->copied;
}

twx_rc twx_source_bounds(twx_source *s, int64_t *ret_least, int64_t *ret_most) {
    twx_rc rc = twx_db_integer(s->db, "SELECT min(scan_key) FROM source_document", ret_least);
    return rc == TWX_OK
               ? twx_db_integer(s->db, "SELECT max(scan_key) FROM source_document", ret_most)
               : rc;
}

const char *twx_source_select(const twx_source *s) {
    return s->shown;
}

uint64_t twx_source_fingerprint(const twx_source *s) {
    return s->fingerprint;
}

twx_rc twx_source_estimate(twx_source *s, uint64_t *ret_documents) {
    int64_t most = 0;
    *ret_documents = 0;
    /* The largest rowid is found at no cost; rowids can have gaps, but a row takes 8 bytes of the
     * file or more. Joins, views and tables without rowid are counted, which reads their keys but
     * no texts. */
    twx_rc rc = twx_db_integer(
        s->db,
        s->rowid ? "SELECT min((SELECT max(scan_key) FROM source_document), page_count * page_size "
                   "/ 8) FROM pragma_page_count, pragma_page_size"
                 : "SELECT count(scan_key) FROM source_document",
        &most);
    if (rc == TWX_OK && most > 0) *ret_documents = (uint64_t)most;
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* ---- reading -------------------------------------------------------------- */

static void fill_row(sqlite3_stmt *stmt, twx_source_row *row) {
    row->scan_key = twx_column_value(stmt, 0);
    for (int i = 0; i < TWX_COLUMNS; i++) row->value[i] = twx_column_value(stmt, i + 1);
}

void twx_source_cursor_done(twx_source_cursor *cursor) {
    twx_free(cursor->bytes);
    *cursor = (twx_source_cursor){0};
}

/* Copies the key of a row, which is gone after the next step of the statement. */
static twx_rc move_cursor(twx_ctx *cx, twx_source_cursor *cursor, const twx_value *key) {
    const size_t n = key->bytes.p ? key->bytes.n : 0;
    if (n > cursor->room) {
        const size_t room = twx_grown(cursor->room, n);
        char *bytes = twx_realloc(cx, cursor->bytes, room, 1);
        if (!bytes) return TWX_E_NOMEM;
        cursor->bytes = bytes;
        cursor->room = room;
    }
    cursor->after = *key;
    cursor->begun = true;
    if (n > 0) {
        memcpy(cursor->bytes, key->bytes.p, n);
        cursor->after.bytes.p = cursor->bytes;
    }
    return TWX_OK;
}

/* Chooses the statement and binds the keys. TWX_DONE: no key is left. */
static twx_rc start_batch(twx_source *s, const twx_source_cursor *cursor,
                          const twx_source_batch *batch, bool sample, sqlite3_stmt **ret_stmt) {
    const batch_kind kind = cursor->bounded ? RANGE
                            : sample        ? SAMPLE
                            : cursor->begun ? NEXT
                                            : FIRST;
    if (cursor->bounded && cursor->begun && cursor->after.i >= cursor->last) return TWX_DONE;
    twx_rc rc = prepare_batch(s, kind, batch->want);
    *ret_stmt = s->batch[kind][batch->want];
    if (rc == TWX_OK && kind == NEXT) rc = twx_bind_value(s->db, *ret_stmt, 1, &cursor->after);
    if (rc == TWX_OK && kind == RANGE) {
        const int64_t first = cursor->begun ? cursor->after.i + 1 : cursor->first;
        rc = twx_bind_int(s->db, *ret_stmt, 1, first);
        if (rc == TWX_OK) rc = twx_bind_int(s->db, *ret_stmt, 3, cursor->last);
    }
    return rc == TWX_OK ? twx_bind_int(s->db, *ret_stmt, 2, batch->limit) : rc;
}

twx_rc twx_source_read(twx_source *s, twx_source_cursor *cursor, const twx_source_batch *batch) {
    twx_source_row row;
    sqlite3_stmt *stmt = NULL;
    twx_source_cursor last = {0}; /* the statement still reads the bytes of cursor->after */
    bool enough = false;
    if (cursor->ended) return TWX_DONE;
    const bool sample = batch->sample && !cursor->begun && batch->want == TWX_WANT_WHOLE;
    twx_rc rc = s->copied && !sample ? refresh_copy(s, cursor, batch->want) : TWX_OK;
    if (rc != TWX_OK) return rc;
    rc = start_batch(s, cursor, batch, sample, &stmt);
    for (uint32_t rows = 0; rc == TWX_OK && !enough && rows < batch->limit; rows++) {
        rc = twx_stmt_step(s->db, stmt);
        if (rc != TWX_OK) break;
        fill_row(stmt, &row);
        rc = batch->fn(batch->arg, &row, &enough);
        if (rc == TWX_OK) rc = move_cursor(s->db->cx, &last, &row.scan_key);
    }
    sqlite3_reset(stmt);
    if (stmt) sqlite3_clear_bindings(stmt);
    if (last.begun) {
        twx_free(cursor->bytes);
        last.bounded = cursor->bounded;
        last.first = cursor->first;
        last.last = cursor->last;
        *cursor = last;
    } else {
        twx_free(last.bytes);
    }
    cursor->ended = rc == TWX_DONE;
    return rc;
}

static twx_rc each_row(twx_source *s, sqlite3_stmt *stmt, twx_source_fn *fn, void *arg) {
    twx_source_row row;
    bool enough = false;
    size_t rows = 0;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && !enough && (rc = twx_stmt_step(s->db, stmt)) == TWX_OK) {
        fill_row(stmt, &row);
        rc = fn(arg, &row, &enough);
        rows++;
    }
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
    return rc == TWX_DONE && rows > 0 ? TWX_OK : rc;
}

twx_rc twx_source_fetch(twx_source *s, const twx_value *scan_key, twx_source_fn *fn, void *arg) {
    sqlite3_stmt *stmt = s->copied && s->has == TWX_WANT_WHOLE ? s->fetch_copied : s->fetch;
    twx_rc rc = twx_bind_value(s->db, stmt, 1, scan_key);
    return rc == TWX_OK ? each_row(s, stmt, fn, arg) : rc;
}

/* Reads all columns of the rows whose `column` equals the value. */
static twx_rc find_by(twx_source *s, const char *column, const twx_value *value, twx_source_fn *fn,
                      void *arg) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_printf(s->db, &stmt, "SELECT %s FROM source_document WHERE %s = ?1",
                                s->columns[TWX_WANT_WHOLE], column);
    if (rc == TWX_OK) rc = twx_bind_value(s->db, stmt, 1, value);
    if (rc == TWX_OK) rc = each_row(s, stmt, fn, arg);
    sqlite3_finalize(stmt);
    return rc;
}

twx_rc twx_source_outside(twx_source *s, const twx_value *id, twx_source_fn *fn, void *arg) {
    twx_rc rc = s->outside
                    ? TWX_OK
                    : twx_stmt_printf(s->db, &s->outside,
                                      "SELECT %s FROM source_document WHERE %s = ?1",
                                      s->columns[TWX_WANT_OUTSIDE], s->direct ? "scan_key" : "id");
    if (rc == TWX_OK) rc = twx_bind_value(s->db, s->outside, 1, id);
    return rc == TWX_OK ? each_row(s, s->outside, fn, arg) : rc;
}

static twx_rc prepare_text_where(twx_source *s, const char *condition) {
    sqlite3_finalize(s->text);
    s->text = NULL;
    return twx_stmt_printf(s->db, &s->text, "SELECT text FROM %s WHERE %s = ?1",
                           s->copied ? ROWS : VIEW, condition);
}

/* The key of copied rows is the mapped id, unless it is the rowid of the only table. Without an
 * index of the id each text would cost a scan: then ids are listed once, and a row that gets one
 * later has no text. */
static twx_rc prepare_text(twx_source *s) {
    const twx_source_cursor begin = {0};
    twx_plan plan = {false, false};
    twx_rc rc = s->copied ? refresh_copy(s, &begin, TWX_WANT_WHOLE) : TWX_OK;
    const bool keyed = s->direct || (s->copied && !s->rowid);
    if (rc == TWX_OK) rc = prepare_text_where(s, keyed ? "scan_key" : "id");
    if (rc == TWX_OK && !keyed) rc = twx_plan_of(s->db, s->text, &plan);
    if (rc != TWX_OK || !plan.scans) return rc;
    rc = twx_db_script_writable(s->db, TWX_SQL_SCHEMA_SOURCE_IDS);
    return rc == TWX_OK ? prepare_text_where(s, TWX_SQL_PART_LISTED_ID) : rc;
}

twx_rc twx_source_text(twx_source *s, const twx_value *id, twx_buf *text) {
    twx_rc rc = s->text ? TWX_OK : prepare_text(s);
    if (rc == TWX_OK) rc = twx_bind_value(s->db, s->text, 1, id);
    if (rc == TWX_OK) rc = twx_stmt_step(s->db, s->text);
    if (rc == TWX_OK) {
        const twx_value value = twx_column_value(s->text, 0);
        if (value.type == TWX_TEXT || value.type == TWX_BLOB)
            rc = twx_buf_add_slice(s->db->cx, text, value.bytes);
    }
    sqlite3_reset(s->text);
    return rc;
}

twx_rc twx_source_by_id(twx_source *s, const twx_value *id, twx_source_fn *fn, void *arg) {
    return s->direct ? twx_source_fetch(s, id, fn, arg) : find_by(s, "id", id, fn, arg);
}

twx_rc twx_source_find(twx_source *s, twx_slice url_or_id, twx_source_fn *fn, void *arg) {
    const twx_value text = {.type = TWX_TEXT, .bytes = url_or_id};
    twx_value number = {.type = TWX_INT};
    /* a number typed by the user can be an integer id or a text id */
    twx_rc rc = twx_slice_integer(url_or_id, &number.i) ? find_by(s, "id", &number, fn, arg)
                                                        : TWX_DONE;
    if (rc == TWX_DONE) rc = find_by(s, "id", &text, fn, arg);
    return rc == TWX_DONE ? find_by(s, "url", &text, fn, arg) : rc;
}

twx_rc twx_source_urls(twx_source *s, twx_source_url_fn *fn, void *arg) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(
        s->db, "SELECT url FROM source_document WHERE scan_key IS NOT NULL", &stmt);
    while (rc == TWX_OK && (rc = twx_stmt_step(s->db, stmt)) == TWX_OK)
        rc = fn(arg, twx_column_value(stmt, 0).bytes);
    return twx_stmt_end(stmt, rc);
}
