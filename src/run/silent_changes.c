#include "run/silent_changes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "run/document_label.h"

enum { DOCS = 1000, NAMED = 3, LINE_BYTES = 1 << 20, SHOWN_BYTES = 180 };

static int by_value(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Leaves out the documents that are queued, also since the comparison began. */
static twx_rc drop_queued(twx_opened *o, twx_docs *differ) {
    int64_t docs[DOCS], after = INT64_MIN;
    size_t n = DOCS, kept = 0, at = 0;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && o->changes && n == DOCS && differ->n) {
        rc = twx_changes_list(o->changes, INT64_MAX, after, docs, DOCS, &n);
        for (size_t i = 0; rc == TWX_OK && i < n; i++) {
            after = docs[i];
            while (at < differ->n && differ->at[at] < after) differ->at[kept++] = differ->at[at++];
            at += at < differ->n && differ->at[at] == after;
        }
    }
    while (at < differ->n) differ->at[kept++] = differ->at[at++];
    differ->n = kept;
    return rc;
}

static twx_rc name_first(twx_opened *o, const twx_docs *differ, twx_silent_changes *ret) {
    twx_buf line;
    size_t at = 0;
    twx_rc rc = TWX_OK;
    twx_buf_init(&line, LINE_BYTES);
    ret->n = differ->n;
    ret->first[0] = '\0';
    for (size_t i = 0; rc == TWX_OK && i < differ->n && i < NAMED; i++) {
        twx_buf_clear(&line);
        rc = twx_add_document(o, differ->at[i], &line);
        if (rc == TWX_OK)
            at += (size_t)snprintf(ret->first + at, sizeof ret->first - at, "%s%.*s", i ? ", " : "",
                                   SHOWN_BYTES, line.p);
    }
    if (differ->n > NAMED) snprintf(ret->first + at, sizeof ret->first - at, ", ...");
    twx_buf_done(&line);
    return rc;
}

static twx_rc is_comparable(twx_opened *o, const twx_sign_plan *plan, bool *ret_is) {
    twx_state state = {0};
    *ret_is = false;
    if (!plan->queued || !o->generations || !o->signatures) return TWX_OK;
    const twx_rc rc = twx_state_read(o->generations, &state);
    *ret_is = state.has_fingerprint && state.fingerprint == plan->fingerprint;
    return rc;
}

twx_rc twx_silent_changes_find(const twx_job *job, twx_opened *o, const twx_sign_plan *plan,
                               twx_silent_changes *ret) {
    twx_sign_plan look = *plan; /* borrows what the other owns */
    twx_sign_counts counts;
    twx_docs differ = {0};
    bool is = false;
    look.full = look.look = true;
    *ret = (twx_silent_changes){0};
    twx_rc rc = is_comparable(o, plan, &is);
    if (rc == TWX_OK && is) rc = twx_sign(job, o, &look, &differ, &counts);
    if (differ.n) qsort(differ.at, differ.n, sizeof *differ.at, by_value);
    if (rc == TWX_OK) rc = drop_queued(o, &differ);
    if (rc == TWX_OK) rc = name_first(o, &differ, ret);
    TWX_VEC_DONE(&differ);
    return rc;
}

twx_rc twx_queue_agrees(twx_opened *o, const twx_sign_plan *plan, bool *ret_agree) {
    bool is = false;
    *ret_agree = true;
    twx_rc rc = o->mapping.where || plan->feed != TWX_FEED_TRIGGER ? TWX_OK
                                                                   : is_comparable(o, plan, &is);
    return rc == TWX_OK && is ? twx_changes_agree(o->reader, ret_agree) : rc;
}
