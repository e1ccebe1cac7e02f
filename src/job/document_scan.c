#include "job/document_scan.h"

#include "base/vec.h"

enum { ROWS = 500, KEY_BYTES = 1 << 28 };

typedef struct reading {
    const twx_job *job;
    twx_opened *o;
    const char *stage;
    twx_scan_documents_fn *fn;
    void *arg;
    uint64_t read, total;
    size_t given; /* rows of this batch that were passed to fn */
    bool refused; /* fn ended the scan; a TWX_E_LIMIT then does not concern a row */
} reading;

twx_slice twx_bytes_of(const twx_value *v) {
    return v->type == TWX_TEXT || v->type == TWX_BLOB ? v->bytes : (twx_slice){NULL, 0};
}

static twx_rc give(void *arg, const twx_source_row *row, bool *ret_enough) {
    reading *r = arg;
    (void)ret_enough;
    r->read++;
    r->given++;
    twx_rc rc = r->fn(r->arg, row);
    r->refused = rc != TWX_OK;
    return rc;
}

typedef struct key_list {
    twx_ctx *cx;
    TWX_VEC(twx_value) keys;
    twx_arena bytes;
} key_list;

static twx_rc list_key(void *arg, const twx_source_row *row, bool *ret_enough) {
    key_list *list = arg;
    twx_value key = row->scan_key;
    (void)ret_enough;
    twx_rc rc = twx_arena_copy(list->cx, &list->bytes, row->scan_key.bytes, &key.bytes);
    return rc == TWX_OK && !TWX_VEC_PUSH(list->cx, &list->keys, key) ? TWX_E_NOMEM : rc;
}

twx_rc twx_warn_row_too_long(const twx_job *job, const twx_value *scan_key, const char *what) {
    twx_buf key;
    twx_ctx_clear(job->cx);
    twx_buf_init(&key, KEY_BYTES);
    twx_rc rc = twx_value_print(job->cx, &key, scan_key);
    if (rc == TWX_OK)
        twx_job_message(job, TWINDEX_WARNING,
                        "%s: the row with key %.200s is longer than run.row_bytes: %s", job->store,
                        key.p, what);
    twx_buf_done(&key);
    return rc;
}

/* Reads the failed batch again row by row; rows that fn has already received are skipped. */
static twx_rc read_singly(reading *r, twx_source_cursor *cursor) {
    key_list list = {.cx = r->job->cx};
    twx_arena_init(&list.bytes, 1 << 20);
    const twx_source_batch batch = {
        .want = TWX_WANT_KEYS, .limit = ROWS, .fn = list_key, .arg = &list};
    twx_rc more = twx_source_read(r->o->source, cursor, &batch);
    twx_rc rc = more == TWX_DONE ? TWX_OK : more;
    for (size_t i = r->given; rc == TWX_OK && i < list.keys.n; i++) {
        rc = twx_source_fetch(r->o->source, &list.keys.at[i], give, r);
        if (rc == TWX_DONE) rc = TWX_OK; /* deleted meanwhile */
        if (rc != TWX_E_LIMIT || r->refused) continue;
        rc = twx_warn_row_too_long(r->job, &list.keys.at[i], "the document is left out");
    }
    TWX_VEC_DONE(&list.keys);
    twx_arena_done(&list.bytes);
    return rc == TWX_OK ? more : rc;
}

twx_rc twx_scan_documents(const twx_job *job, twx_opened *o, const char *stage,
                          twx_scan_documents_fn *fn, void *arg) {
    reading r = {.job = job, .o = o, .stage = stage, .fn = fn, .arg = arg};
    const twx_source_batch batch = {.want = TWX_WANT_WHOLE, .limit = ROWS, .fn = give, .arg = &r};
    twx_source_cursor cursor = {0};
    twx_rc rc = twx_source_estimate(o->source, &r.total);
    while (rc == TWX_OK) {
        r.given = 0;
        rc = twx_cancelled(job->cx);
        if (rc == TWX_OK) rc = twx_source_read(o->source, &cursor, &batch);
        if (rc == TWX_E_LIMIT && !r.refused) {
            twx_ctx_clear(job->cx);
            rc = read_singly(&r, &cursor);
        }
        twx_job_progress(job, stage, "documents", r.read, r.total > r.read ? r.total : 0);
    }
    twx_source_cursor_done(&cursor);
    return rc == TWX_DONE ? TWX_OK : rc;
}
