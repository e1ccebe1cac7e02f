#include "run/withdraw_signed.h"

#include <stdlib.h>

#include "judge/withdraw.h"

typedef TWX_VEC(uint32_t) indexes;

typedef struct again {
    twx_ctx *cx;
    const twx_signed_again *stores; /* by member; their documents are ascending */
    twx_judgement *j;
} again;

/* Whether document i is unchanged since it was judged. */
static twx_rc still_stands(again *a, uint32_t i, bool *ret_stands) {
    twx_stored stored;
    bool changed = true;
    const twx_doc_row *entry = &a->j->docs.at.at[i];
    twx_signatures *signatures = a->stores[entry->member].signatures;
    twx_rc rc = twx_signatures_get(signatures, entry->doc, &stored);
    if (rc == TWX_OK) rc = twx_has_changed(a->cx, a->j, i, stored.facts, stored.keys, &changed);
    twx_signatures_release(signatures);
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
        const twx_doc_row *entry = &a->j->docs.at.at[i];
        const twx_docs *docs = &a->stores[entry->member].docs;
        if (docs->n == 0 || !twx_represents_others(a->j, i) ||
            !bsearch(&entry->doc, docs->at, docs->n, sizeof *docs->at, by_doc))
            continue;
        rc = still_stands(a, i, &stands);
        if (rc == TWX_OK && !stands && !TWX_VEC_PUSH(a->cx, ret_changed, i)) rc = TWX_E_NOMEM;
    }
    return rc;
}

/* The document that takes the place of a representative may have changed too, so this is repeated
 * until none is found. */
twx_rc twx_withdraw_signed(twx_ctx *cx, twx_signed_again *stores, size_t n, twx_judgement *j,
                           size_t *withdrawn) {
    again a = {.cx = cx, .stores = stores, .j = j};
    indexes changed = {0};
    size_t signed_again = 0;
    twx_rc rc = TWX_OK;
    for (size_t m = 0; m < n; m++) {
        twx_docs *docs = &stores[m].docs;
        if (docs->n) qsort(docs->at, docs->n, sizeof *docs->at, by_doc);
        signed_again += docs->n;
    }
    if (signed_again == 0) return TWX_OK;
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
