#include "run/withdraw_signed.h"

#include <stdlib.h>

#include "judge/withdraw.h"

typedef TWX_VEC(uint32_t) indexes;

typedef struct again {
    twx_ctx *cx;
    twx_signatures *signatures;
    const twx_docs *docs; /* those that were signed again, ascending */
    twx_judgement *j;
} again;

/* Whether document i is unchanged since it was judged. */
static twx_rc still_stands(again *a, uint32_t i, bool *ret_stands) {
    twx_stored stored;
    bool changed = true;
    twx_rc rc = twx_signatures_get(a->signatures, a->j->docs.at.at[i].doc, &stored);
    if (rc == TWX_OK) rc = twx_has_changed(a->cx, a->j, i, stored.facts, stored.keys, &changed);
    twx_signatures_release(a->signatures);
    *ret_stands = !changed;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static int by_doc(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Of the documents that were signed again, lists the representatives that vanished or differ from
 * what was judged. */
static twx_rc find_changed(again *a, indexes *ret_changed) {
    twx_rc rc = TWX_OK;
    for (uint32_t i = 0; rc == TWX_OK && i < a->j->docs.at.n; i++) {
        bool stands = true;
        if (!twx_represents_others(a->j, i) || !bsearch(&a->j->docs.at.at[i].doc, a->docs->at,
                                                        a->docs->n, sizeof *a->docs->at, by_doc))
            continue;
        rc = still_stands(a, i, &stands);
        if (rc == TWX_OK && !stands && !TWX_VEC_PUSH(a->cx, ret_changed, i)) rc = TWX_E_NOMEM;
    }
    return rc;
}

/* The document that takes the place of a representative may have changed too, so this is repeated
 * until none is found. */
twx_rc twx_withdraw_signed(twx_ctx *cx, twx_signatures *signatures, twx_docs *signed_again,
                           twx_judgement *j, size_t *withdrawn) {
    again a = {.cx = cx, .signatures = signatures, .docs = signed_again, .j = j};
    indexes changed = {0};
    twx_rc rc = TWX_OK;
    if (signed_again->n == 0) return TWX_OK;
    qsort(signed_again->at, signed_again->n, sizeof *signed_again->at, by_doc);
    do {
        changed.n = 0;
        rc = find_changed(&a, &changed);
        if (rc == TWX_OK && changed.n > 0)
            rc = twx_judgement_withdraw(cx, j, changed.at, changed.n);
        *withdrawn += changed.n;
    } while (rc == TWX_OK && changed.n > 0);
    TWX_VEC_DONE(&changed);
    return rc;
}
