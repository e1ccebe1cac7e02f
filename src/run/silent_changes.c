#include "run/silent_changes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "job/document_label.h"
#include "job/document_reader.h"
#include "run/batch.h"

enum { DOCS = 1000, NAMED = 3, LINE_BYTES = 1 << 20, SHOWN_BYTES = 180 };

typedef struct comparison {
    twx_opened *o;
    const twx_sign_plan *plan;
    twx_docs seen, differ;
} comparison;

/* ---- what differs --------------------------------------------------------- */

static twx_rc compare_row(void *arg, const twx_source_row *row, bool *ret_wait) {
    comparison *c = arg;
    twx_ctx *cx = twx_source_ctx(c->o->source);
    twx_stored stored;
    int64_t doc = 0;
    (void)ret_wait;
    if (twx_is_unusable_id(&row->value[TWX_COL_ID], twx_source_is_direct(c->o->source)))
        return TWX_OK;
    twx_rc rc = twx_document_number(c->o, &row->value[TWX_COL_ID], &doc);
    if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &c->seen, doc)) rc = TWX_E_NOMEM;
    if (rc == TWX_OK) rc = twx_signatures_get(c->o->lookup, doc, &stored);
    const bool same = rc == TWX_OK && stored.has_token && stored.token == twx_row_token(row->value);
    twx_signatures_release(c->o->lookup);
    if (rc == TWX_DONE) rc = TWX_OK;
    return rc == TWX_OK && !same && !TWX_VEC_PUSH(cx, &c->differ, doc) ? TWX_E_NOMEM : rc;
}

static int by_value(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void sort(twx_docs *docs) {
    if (docs->n) qsort(docs->at, docs->n, sizeof *docs->at, by_value);
}

static bool has(const twx_docs *docs, int64_t doc) {
    return docs->n && bsearch(&doc, docs->at, docs->n, sizeof *docs->at, by_value);
}

/* Adds the documents that are signed and not in the source. */
static twx_rc add_gone(comparison *c) {
    twx_ctx *cx = twx_source_ctx(c->o->source);
    int64_t docs[DOCS], after = INT64_MIN;
    size_t n = DOCS;
    twx_rc rc = TWX_OK;
    sort(&c->seen);
    while (rc == TWX_OK && n == DOCS) {
        rc = twx_signatures_docs(c->o->lookup, after, docs, DOCS, &n);
        for (size_t i = 0; rc == TWX_OK && i < n; i++) {
            after = docs[i];
            if (!has(&c->seen, docs[i]) && !TWX_VEC_PUSH(cx, &c->differ, docs[i])) rc = TWX_E_NOMEM;
        }
    }
    sort(&c->differ);
    return rc;
}

/* Leaves out the documents that are queued, also since the comparison began. */
static twx_rc drop_queued(comparison *c) {
    int64_t docs[DOCS], after = INT64_MIN;
    size_t n = DOCS, kept = 0, at = 0;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && c->o->changes && n == DOCS && c->differ.n) {
        rc = twx_changes_list(c->o->changes, INT64_MAX, after, docs, DOCS, &n);
        for (size_t i = 0; rc == TWX_OK && i < n; i++) {
            after = docs[i];
            while (at < c->differ.n && c->differ.at[at] < after)
                c->differ.at[kept++] = c->differ.at[at++];
            at += at < c->differ.n && c->differ.at[at] == after;
        }
    }
    while (at < c->differ.n) c->differ.at[kept++] = c->differ.at[at++];
    c->differ.n = kept;
    return rc;
}

/* ---- the result ----------------------------------------------------------- */

static twx_rc name_first(const comparison *c, twx_silent_changes *ret) {
    twx_buf line;
    size_t at = 0;
    twx_rc rc = TWX_OK;
    twx_buf_init(&line, LINE_BYTES);
    ret->n = c->differ.n;
    ret->first[0] = '\0';
    for (size_t i = 0; rc == TWX_OK && i < c->differ.n && i < NAMED; i++) {
        twx_buf_clear(&line);
        rc = twx_add_document(c->o, c->differ.at[i], &line);
        if (rc == TWX_OK)
            at += (size_t)snprintf(ret->first + at, sizeof ret->first - at, "%s%.*s", i ? ", " : "",
                                   SHOWN_BYTES, line.p);
    }
    if (c->differ.n > NAMED) snprintf(ret->first + at, sizeof ret->first - at, ", ...");
    twx_buf_done(&line);
    return rc;
}

static twx_rc is_comparable(twx_opened *o, const twx_sign_plan *plan, bool *ret_is) {
    twx_state state = {0};
    *ret_is = false;
    if (!plan->queued || !o->generations || !o->lookup) return TWX_OK;
    const twx_rc rc = twx_state_read(o->generations, &state);
    *ret_is = state.has_fingerprint && state.fingerprint == plan->fingerprint;
    return rc;
}

twx_rc twx_silent_changes_find(const twx_job *job, twx_opened *o, const twx_sign_plan *plan,
                               twx_silent_changes *ret) {
    comparison c = {.o = o, .plan = plan};
    bool is = false;
    twx_reader reader = {.job = job,
                         .source = o->source,
                         .stage = "compare with the signatures",
                         .too_long = "it is not compared",
                         .want = TWX_WANT_WHOLE,
                         .take = compare_row,
                         .arg = &c};
    *ret = (twx_silent_changes){0};
    twx_rc rc = is_comparable(o, plan, &is);
    if (rc != TWX_OK || !is) return rc;
    rc = twx_reader_scan(&reader);
    if (rc == TWX_OK) rc = add_gone(&c);
    if (rc == TWX_OK) rc = drop_queued(&c);
    if (rc == TWX_OK) rc = name_first(&c, ret);
    TWX_VEC_DONE(&c.seen);
    TWX_VEC_DONE(&c.differ);
    return rc;
}

twx_rc twx_queue_agrees(twx_opened *o, const twx_sign_plan *plan, bool *ret_agree) {
    bool is = false;
    *ret_agree = true;
    twx_rc rc = o->mapping.where || plan->feed != TWX_FEED_TRIGGER ? TWX_OK
                                                                   : is_comparable(o, plan, &is);
    return rc == TWX_OK && is ? twx_changes_agree(o->reader, ret_agree) : rc;
}
