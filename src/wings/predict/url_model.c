#include "predict/predict.h"

#include "sql_text.h"

enum { BATCH_ROWS = 10000 };

twx_rc twx_url_model_make(twx_db *db) {
    bool has = false;
    twx_rc rc = twx_db_has(db, "twindex_url_model", &has);
    return rc != TWX_OK || has ? rc : twx_db_transact(db, TWX_SQL_SCHEMA_URL_HYPOTHESIS);
}

/* ---- reading ------------------------------------------------------------ */

static twx_rc read_head(twx_db *db, twx_url_model_head *ret_head) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_PREDICT_HEAD, &stmt);
    if (rc == TWX_OK) rc = twx_stmt_step(db, stmt);
    if (rc == TWX_OK)
        *ret_head = (twx_url_model_head){.run = sqlite3_column_int64(stmt, 0),
                                         .fingerprint = (uint64_t)sqlite3_column_int64(stmt, 1),
                                         .urls = (uint64_t)sqlite3_column_int64(stmt, 2),
                                         .share = (uint64_t)sqlite3_column_int64(stmt, 3)};
    sqlite3_finalize(stmt);
    return rc;
}

twx_rc twx_url_model_head_read(twx_db *db, twx_url_model_head *ret_head) {
    bool has = false;
    twx_rc rc = twx_db_has(db, "twindex_url_model", &has);
    if (rc != TWX_OK) return rc;
    return has ? read_head(db, ret_head) : TWX_DONE;
}

static twx_url_context_row context_of(sqlite3_stmt *stmt) {
    return (twx_url_context_row){.context = sqlite3_column_int64(stmt, 0),
                                 .hypothesis = sqlite3_column_int64(stmt, 1),
                                 .form = twx_column_text(stmt, 2),
                                 .path = twx_column_text(stmt, 3),
                                 .name = twx_column_text(stmt, 4),
                                 .second = twx_column_text(stmt, 5),
                                 .value = twx_column_text(stmt, 6),
                                 .dup = sqlite3_column_int64(stmt, 7),
                                 .nodup = sqlite3_column_int64(stmt, 8)};
}

twx_rc twx_url_contexts_each(twx_db *db, twx_url_context_fn *fn, void *arg) {
    sqlite3_stmt *stmt = NULL;
    twx_rc rc = twx_stmt_prepare(db, TWX_SQL_QUERY_PREDICT_CONTEXTS, &stmt);
    while (rc == TWX_OK && (rc = twx_stmt_step(db, stmt)) == TWX_OK) {
        const twx_url_context_row row = context_of(stmt);
        rc = fn(arg, &row);
    }
    sqlite3_finalize(stmt);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* Keys in order, in batches. INT64_MIN, one hash in 2^64, cannot be a key, because reading starts
 * after it. */
typedef struct seen_reader {
    twx_db *db;
    sqlite3_stmt *stmt;
    twx_url_seen_row *rows;
    size_t at, n;
    int64_t after;
    bool end;
} seen_reader;

static twx_rc reader_open(twx_db *db, seen_reader *ret_reader) {
    *ret_reader = (seen_reader){.db = db, .after = INT64_MIN};
    ret_reader->rows = twx_calloc(twx_db_ctx(db), BATCH_ROWS, sizeof *ret_reader->rows);
    if (!ret_reader->rows) return TWX_E_NOMEM;
    return twx_stmt_prepare(db, TWX_SQL_QUERY_PREDICT_SEEN, &ret_reader->stmt);
}

static void reader_done(seen_reader *r) {
    sqlite3_finalize(r->stmt);
    twx_free(r->rows);
}

/* Makes the next row available, unless there are no more rows. */
static twx_rc refill(seen_reader *r) {
    if (r->at < r->n || r->end) return TWX_OK;
    r->at = r->n = 0;
    twx_rc rc = twx_cancelled(twx_db_ctx(r->db));
    if (rc == TWX_OK) rc = twx_bind_int(r->db, r->stmt, 1, r->after);
    if (rc == TWX_OK) rc = twx_bind_int(r->db, r->stmt, 2, BATCH_ROWS);
    while (rc == TWX_OK && (rc = twx_stmt_step(r->db, r->stmt)) == TWX_OK)
        r->rows[r->n++] = (twx_url_seen_row){(uint64_t)sqlite3_column_int64(r->stmt, 0),
                                             (uint64_t)sqlite3_column_int64(r->stmt, 1)};
    r->end = r->n < BATCH_ROWS;
    if (r->n) r->after = (int64_t)r->rows[r->n - 1].key;
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_url_seen_each(twx_db *db, twx_url_seen_fn *fn, void *arg) {
    seen_reader r;
    twx_rc rc = reader_open(db, &r);
    while (rc == TWX_OK && (rc = refill(&r)) == TWX_OK && r.at < r.n) rc = fn(arg, &r.rows[r.at++]);
    reader_done(&r);
    return rc;
}

/* ---- writing ------------------------------------------------------------ */

typedef struct writing {
    twx_db *db;
    sqlite3_stmt *put, *gone;
    uint64_t changed;
} writing;

static twx_rc writing_open(twx_db *db, const char *put, const char *gone, writing *ret_writing) {
    *ret_writing = (writing){.db = db};
    twx_rc rc = twx_stmt_prepare(db, put, &ret_writing->put);
    return rc == TWX_OK ? twx_stmt_prepare(db, gone, &ret_writing->gone) : rc;
}

static void writing_done(writing *w) {
    sqlite3_finalize(w->put);
    sqlite3_finalize(w->gone);
}

static twx_rc drop_row(writing *w, int64_t key) {
    w->changed++;
    twx_rc rc = twx_bind_int(w->db, w->gone, 1, key);
    return rc == TWX_OK ? twx_stmt_run(w->db, w->gone) : rc;
}

static twx_rc put_seen(writing *w, const twx_url_seen_row *row) {
    w->changed++;
    twx_rc rc = twx_bind_int(w->db, w->put, 1, (int64_t)row->key);
    if (rc == TWX_OK) rc = twx_bind_int(w->db, w->put, 2, (int64_t)row->value);
    return rc == TWX_OK ? twx_stmt_run(w->db, w->put) : rc;
}

/* Merges both sorted sides: new rows are written, rows that are no longer in the model are
 * deleted. */
static twx_rc merge_seen(writing *w, seen_reader *was, const twx_url_model_rows *rows) {
    size_t i = 0;
    for (;;) {
        twx_rc rc = refill(was);
        const twx_url_seen_row *old = was->at < was->n ? &was->rows[was->at] : NULL;
        const twx_url_seen_row *fresh = i < rows->seen_n ? &rows->seen[i] : NULL;
        if (rc != TWX_OK || (!old && !fresh)) return rc;
        const bool gone = old && (!fresh || (int64_t)old->key < (int64_t)fresh->key),
                   is_new = fresh && !gone && (!old || fresh->key != old->key);
        if (gone)
            rc = drop_row(w, (int64_t)old->key);
        else if (is_new || old->value != fresh->value)
            rc = put_seen(w, fresh);
        if (rc != TWX_OK) return rc;
        was->at += !is_new;
        i += !gone;
    }
}

static twx_rc write_seen(twx_db *db, const twx_url_model_rows *rows, uint64_t *changed) {
    writing w;
    seen_reader was = {0};
    twx_rc rc = writing_open(db, TWX_SQL_QUERY_PREDICT_SEEN_PUT, TWX_SQL_QUERY_PREDICT_SEEN_DELETE,
                             &w);
    if (rc == TWX_OK) rc = reader_open(db, &was);
    if (rc == TWX_OK) rc = merge_seen(&w, &was, rows);
    reader_done(&was);
    writing_done(&w);
    *changed += w.changed;
    return rc;
}

/* Contexts are few, so one pass finds those that are unchanged and those that are gone. */
typedef struct comparing {
    const twx_url_model_rows *rows;
    bool *stands; /* by index of rows->contexts */
    size_t at;
    twx_ctx *cx;
    TWX_VEC(int64_t) gone;
} comparing;

static bool same_context(const twx_url_context_row *a, const twx_url_context_row *b) {
    return a->hypothesis == b->hypothesis && twx_slice_eq(a->form, b->form) &&
           twx_slice_eq(a->path, b->path) && twx_slice_eq(a->name, b->name) &&
           twx_slice_eq(a->second, b->second) && twx_slice_eq(a->value, b->value) &&
           a->dup == b->dup && a->nodup == b->nodup;
}

static twx_rc compare_context(void *arg, const twx_url_context_row *old) {
    comparing *c = arg;
    const twx_url_model_rows *rows = c->rows;
    while (c->at < rows->contexts_n && rows->contexts[c->at].context < old->context) c->at++;
    if (c->at == rows->contexts_n || rows->contexts[c->at].context != old->context)
        return TWX_VEC_PUSH(c->cx, &c->gone, old->context) ? TWX_OK : TWX_E_NOMEM;
    c->stands[c->at] = same_context(&rows->contexts[c->at], old);
    return TWX_OK;
}

static twx_rc put_context(writing *w, const twx_url_context_row *row) {
    const twx_slice texts[] = {row->form, row->path, row->name, row->second, row->value};
    w->changed++;
    twx_rc rc = twx_bind_int(w->db, w->put, 1, row->context);
    if (rc == TWX_OK) rc = twx_bind_int(w->db, w->put, 2, row->hypothesis);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(texts); i++)
        rc = twx_bind_text(w->db, w->put, 3 + (int)i, texts[i]);
    if (rc == TWX_OK) rc = twx_bind_int(w->db, w->put, 8, row->dup);
    if (rc == TWX_OK) rc = twx_bind_int(w->db, w->put, 9, row->nodup);
    return rc == TWX_OK ? twx_stmt_run(w->db, w->put) : rc;
}

static twx_rc write_contexts(twx_db *db, const twx_url_model_rows *rows, uint64_t *changed) {
    writing w;
    comparing c = {.rows = rows, .cx = twx_db_ctx(db)};
    c.stands = twx_calloc(c.cx, rows->contexts_n + 1, sizeof *c.stands);
    twx_rc rc = writing_open(db, TWX_SQL_QUERY_PREDICT_CONTEXT_PUT,
                             TWX_SQL_QUERY_PREDICT_CONTEXT_DELETE, &w);
    if (rc == TWX_OK && !c.stands) rc = TWX_E_NOMEM;
    if (rc == TWX_OK) rc = twx_url_contexts_each(db, compare_context, &c);
    for (size_t i = 0; rc == TWX_OK && i < c.gone.n; i++) rc = drop_row(&w, c.gone.at[i]);
    for (size_t i = 0; rc == TWX_OK && i < rows->contexts_n; i++)
        if (!c.stands[i]) rc = put_context(&w, &rows->contexts[i]);
    writing_done(&w);
    TWX_VEC_DONE(&c.gone);
    twx_free(c.stands);
    *changed += w.changed;
    return rc;
}

static twx_rc write_head(twx_db *db, const twx_url_model_head *head, uint64_t *changed) {
    sqlite3_stmt *stmt = NULL;
    twx_url_model_head old;
    twx_rc rc = read_head(db, &old);
    if (rc == TWX_OK && old.run == head->run && old.fingerprint == head->fingerprint &&
        old.urls == head->urls && old.share == head->share)
        return TWX_OK;
    if (rc == TWX_OK || rc == TWX_DONE)
        rc = twx_stmt_prepare(db, TWX_SQL_QUERY_PREDICT_HEAD_PUT, &stmt);
    if (rc == TWX_OK) rc = twx_bind_int(db, stmt, 1, head->run);
    if (rc == TWX_OK) rc = twx_bind_int(db, stmt, 2, (int64_t)head->fingerprint);
    if (rc == TWX_OK) rc = twx_bind_int(db, stmt, 3, (int64_t)head->urls);
    if (rc == TWX_OK) rc = twx_bind_int(db, stmt, 4, (int64_t)head->share);
    if (rc == TWX_OK) rc = twx_stmt_run(db, stmt);
    sqlite3_finalize(stmt);
    ++*changed;
    return rc;
}

twx_rc twx_url_model_write(twx_db *db, const twx_url_model_rows *rows, uint64_t *ret_changed) {
    uint64_t changed = 0;
    twx_rc rc = twx_db_begin(db);
    if (rc == TWX_OK) rc = write_contexts(db, rows, &changed);
    if (rc == TWX_OK) rc = write_seen(db, rows, &changed);
    if (rc == TWX_OK) rc = write_head(db, &rows->head, &changed);
    if (rc == TWX_OK) rc = twx_db_commit(db);
    if (rc == TWX_OK)
        *ret_changed = changed;
    else
        twx_db_rollback(db);
    return rc;
}
