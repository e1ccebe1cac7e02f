#include "run/flag_changes.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "judge/withdraw.h"

enum { ASK_EVERY = 4096 /* documents between two checks of the cancel flag */ };

static int by_doc(const void *a, const void *b, void *arg) {
    const twx_doc_table *p = arg;
    int64_t x = p->at.at[*(const uint32_t *)a].doc, y = p->at.at[*(const uint32_t *)b].doc;
    return (x > y) - (x < y);
}

twx_rc twx_judged_order(twx_ctx *cx, const twx_judgement *j, const twx_judge_options *options,
                        twx_judged *ret_judged) {
    const twx_doc_table *p = &j->docs;
    bool ordered = true;
    *ret_judged = (twx_judged){.j = j, .options = options};
    for (size_t i = 1; i < p->at.n; i++) ordered &= p->at.at[i - 1].doc < p->at.at[i].doc;
    if (ordered) return TWX_OK;
    uint32_t *order = twx_malloc(cx, p->at.n * sizeof *order);
    if (!order) return TWX_E_NOMEM;
    for (size_t i = 0; i < p->at.n; i++) order[i] = (uint32_t)i;
    qsort_r(order, p->at.n, sizeof *order, by_doc, (void *)(uintptr_t)p);
    ret_judged->by_doc = order;
    return TWX_OK;
}

void twx_judged_done(twx_judged *judged) {
    twx_free(judged->by_doc);
    judged->by_doc = NULL;
}

/* ---- comparing ---------------------------------------------------------- */

twx_rc twx_flag_changes_init(twx_ctx *cx, const twx_judged *judged, twx_generations *g,
                             char generation, twx_flag_changes *ret_changes) {
    *ret_changes = (twx_flag_changes){.cx = cx, .judged = judged};
    return twx_flags_cursor_init(cx, g, generation, &ret_changes->stored);
}

void twx_flag_changes_done(twx_flag_changes *changes) {
    twx_flags_cursor_done(&changes->stored);
}

/* The index of the next judged document; TWX_NO_DOCUMENT after the last one. Withdrawn documents
 * have no flags. */
static uint32_t next_judged(twx_flag_changes *c) {
    const twx_judged *judged = c->judged;
    for (; c->at < judged->j->docs.at.n; c->at++) {
        const uint32_t index = judged->by_doc ? judged->by_doc[c->at] : (uint32_t)c->at;
        if (!twx_is_withdrawn(judged->j, index)) return index;
    }
    return TWX_NO_DOCUMENT;
}

/* The next pair of rows with the same doc, one of which may be missing. TWX_DONE: there is none. */
static twx_rc next_pair(twx_flag_changes *c, twx_flag_change *ret_pair) {
    const twx_doc_table *docs = &c->judged->j->docs;
    const twx_flag_row *stored = NULL;
    uint32_t index = next_judged(c);
    twx_rc rc = twx_flags_cursor_read(&c->stored, &stored);
    if (rc != TWX_OK) return rc;
    if (!stored && index == TWX_NO_DOCUMENT) return TWX_DONE;
    if (stored && index != TWX_NO_DOCUMENT) {
        if (docs->at.at[index].doc < stored->doc)
            stored = NULL;
        else if (docs->at.at[index].doc > stored->doc)
            index = TWX_NO_DOCUMENT;
    }
    *ret_pair = (twx_flag_change){.stored = stored, .index = index};
    if (stored) twx_flags_cursor_move(&c->stored);
    if (index == TWX_NO_DOCUMENT) return TWX_OK;
    twx_judged_row(c->judged->j, c->judged->options, index, &c->fresh);
    ret_pair->fresh = &c->fresh;
    return ++c->at % ASK_EVERY == 0 ? twx_cancelled(c->cx) : TWX_OK;
}

twx_rc twx_flag_changes_next(twx_flag_changes *c, twx_flag_change *ret_change) {
    twx_flag_change pair = {0};
    twx_rc rc = TWX_OK;
    do rc = next_pair(c, &pair);
    while (rc == TWX_OK && pair.stored && pair.fresh && twx_flag_row_eq(pair.stored, pair.fresh));
    if (rc == TWX_OK) *ret_change = pair;
    return rc;
}
