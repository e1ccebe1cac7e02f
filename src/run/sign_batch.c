#include "run/sign_batch.h"

#include "base/alloc.h"
#include "judge/twin_keys.h"
#include "sign/sign_document.h"

enum { RECORD_MAX = 64 << 20 };

typedef struct signer {
    twx_signer_shared *shared;
    twx_workspace *workspace;
    twx_buf record;
    twx_db *db; /* NULL until the first range; with `source` */
    twx_source *source;
} signer;

static void close_signer(void *state) {
    signer *s = state;
    twx_source_close(s->source);
    twx_db_close(s->db);
    twx_workspace_close(s->workspace);
    twx_buf_done(&s->record);
    twx_free(s);
}

static twx_rc open_signer(twx_ctx *cx, void *arg, void **ret_state) {
    signer *s = twx_calloc(cx, 1, sizeof *s);
    if (!s) return TWX_E_NOMEM;
    s->shared = arg;
    twx_buf_init(&s->record, RECORD_MAX);
    twx_rc rc = twx_workspace_open(cx, &s->shared->plan->params, &s->workspace);
    if (rc != TWX_OK) {
        close_signer(s);
        return rc;
    }
    *ret_state = s;
    return TWX_OK;
}

/* The text to sign; empty for a value that is neither text nor blob. */
static twx_slice text_of(const twx_value *v) {
    return v->type == TWX_TEXT || v->type == TWX_BLOB ? v->bytes : (twx_slice){NULL, 0};
}

static twx_rc sign_row(twx_ctx *cx, signer *s, twx_batch *b, twx_batch_row *row) {
    const twx_sign_plan *plan = s->shared->plan;
    twx_url url;
    twx_facts facts;
    twx_rc rc = twx_facts_of(cx, twx_workspace_scratch(s->workspace), &plan->params.url,
                             row->column, &url, &facts, &row->oddities);
    row->facts_at = b->made.n;
    if (rc == TWX_OK) rc = twx_facts_pack(cx, &facts, url.whole, &b->made);
    row->facts_n = b->made.n - row->facts_at;
    const twx_document doc = {.url = &url,
                              .text = text_of(&row->column[TWX_COL_TEXT]),
                              .main = text_of(&row->column[TWX_COL_MAIN]),
                              .title = text_of(&row->column[TWX_COL_TITLE]),
                              .headings = text_of(&row->column[TWX_COL_HEADINGS]),
                              .names = text_of(&row->column[TWX_COL_NAMES]),
                              .description = text_of(&row->column[TWX_COL_DESCRIPTION])};
    bool valid = true;
    const twx_signing signing = {.params = &plan->params,
                                 .detectors = plan->signing,
                                 .n = plan->n_signing,
                                 .memo = s->shared->memo,
                                 .without_url = twx_twins_are_in_facts(&facts),
                                 .ret_valid = &valid};
    row->keys_at = b->made.n;
    if (rc == TWX_OK) rc = twx_sign_document(cx, s->workspace, &signing, &doc, &s->record);
    if (!valid) row->oddities |= TWX_ODD_UTF8;
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, &b->made, twx_buf_slice(&s->record));
    row->keys_n = b->made.n - row->keys_at;
    twx_workspace_reset(s->workspace);
    return rc;
}

/* ---- reading a range ------------------------------------------------------ */

typedef struct range_reader {
    twx_ctx *cx;
    twx_batch *b;
    twx_feed feed;
} range_reader;

static twx_rc take_row(void *arg, const twx_source_row *row, bool *ret_enough) {
    const range_reader *r = arg;
    twx_batch *b = r->b;
    twx_batch_row *copy = NULL;
    b->read.rows++;
    if (twx_is_unusable_id(&row->value[TWX_COL_ID], true)) {
        b->read.bad_ids++;
        return TWX_OK;
    }
    twx_rc rc = twx_batch_add(r->cx, b, row, &copy);
    if (rc != TWX_OK) return rc;
    copy->has_doc = true;
    copy->doc = row->value[TWX_COL_ID].i;
    copy->has_token = twx_feed_token(r->feed, row->value, &copy->token);
    *ret_enough = b->bytes >= TWX_RANGE_BYTES;
    return TWX_OK;
}

static twx_rc read_range(twx_ctx *cx, signer *s, twx_batch *b) {
    const twx_key_range *range = &b->read.range;
    range_reader r = {.cx = cx, .b = b, .feed = s->shared->plan->feed};
    twx_source_cursor cursor = {.bounded = true, .first = range->first, .last = range->last};
    const twx_source_batch batch = {
        .want = TWX_WANT_WHOLE, .limit = TWX_RANGE_ROWS, .fn = take_row, .arg = &r};
    twx_rc rc = s->source ? TWX_OK
                          : twx_open_source_again(cx, s->shared->job, s->shared->opened, &s->db,
                                                  &s->source);
    if (rc == TWX_OK) rc = twx_source_read(s->source, &cursor, &batch);
    b->read.stopped = rc == TWX_E_LIMIT;
    b->read.ended = rc == TWX_DONE || (cursor.begun && cursor.after.i == range->last);
    b->read.next = cursor.begun && !b->read.ended ? cursor.after.i + 1 : range->first;
    twx_source_cursor_done(&cursor);
    if (b->read.stopped) twx_ctx_clear(cx);
    return b->read.stopped || rc == TWX_DONE ? TWX_OK : rc;
}

/* ---- the work ------------------------------------------------------------- */

static twx_rc sign_batch(twx_ctx *cx, void *state, void *item) {
    twx_batch *b = item;
    twx_rc rc = twx_cancelled(cx);
    if (rc == TWX_OK && b->reads) rc = read_range(cx, state, b);
    for (size_t i = 0; rc == TWX_OK && i < b->rows.n; i++)
        rc = sign_row(cx, state, b, &b->rows.at[i]);
    return rc;
}

twx_work_kind twx_signer_kind(twx_signer_shared *shared) {
    return (twx_work_kind){.open = open_signer,
                           .work = sign_batch,
                           .close = close_signer,
                           .arg = shared,
                           .inline_if_one = true};
}
