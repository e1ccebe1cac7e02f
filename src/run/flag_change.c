#include "run/flag_change.h"

#include <stdlib.h>

#include "base/alloc.h"

enum { BATCH = 5000 };

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

/* Where the comparison stands. */
typedef struct merge {
    const twx_judged *judged;
    const twx_flag_change_sink *eyes;
    size_t at; /* next judged document */
} merge;

static uint32_t index_at(const merge *m) {
    return m->judged->by_doc ? m->judged->by_doc[m->at] : (uint32_t)m->at;
}

static bool has_judged(const merge *m) {
    return m->at < m->judged->j->docs.at.n;
}

static twx_rc report_new(merge *m) {
    twx_flag_row fresh;
    uint32_t index = index_at(m);
    twx_judged_row(m->judged->j, m->judged->options, index, &fresh);
    m->at++;
    return m->eyes->differs(m->eyes->arg, NULL, &fresh, index);
}

/* Brings the judged side up to a stored row and compares the two. */
static twx_rc meet(merge *m, const twx_flag_row *stored) {
    twx_rc rc = TWX_OK;
    const twx_doc_table *p = &m->judged->j->docs;
    while (rc == TWX_OK && has_judged(m) && p->at.at[index_at(m)].doc < stored->doc)
        rc = report_new(m);
    if (rc != TWX_OK) return rc;
    if (!has_judged(m) || p->at.at[index_at(m)].doc != stored->doc)
        return m->eyes->differs(m->eyes->arg, stored, NULL, TWX_NO_DOCUMENT);
    twx_flag_row fresh;
    uint32_t index = index_at(m);
    twx_judged_row(m->judged->j, m->judged->options, index, &fresh);
    m->at++;
    return twx_flag_row_eq(stored, &fresh) ? TWX_OK
                                           : m->eyes->differs(m->eyes->arg, stored, &fresh, index);
}

twx_rc twx_flag_changes_compare(twx_ctx *cx, const twx_judged *judged, twx_generations *g,
                                char generation, const twx_flag_change_sink *eyes) {
    merge m = {.judged = judged, .eyes = eyes};
    int64_t after = INT64_MIN;
    size_t n = generation ? BATCH : 0;
    twx_flag_row *rows = twx_malloc(cx, BATCH * sizeof *rows);
    twx_rc rc = rows ? TWX_OK : TWX_E_NOMEM;
    while (rc == TWX_OK && n == BATCH) {
        rc = twx_flags_read(g, generation, after, rows, BATCH, &n);
        for (size_t i = 0; rc == TWX_OK && i < n; i++) rc = meet(&m, &rows[i]);
        if (n > 0) after = rows[n - 1].doc;
        if (rc == TWX_OK && eyes->pause) rc = eyes->pause(eyes->arg, false);
        if (rc == TWX_OK) rc = twx_cancelled(cx);
    }
    while (rc == TWX_OK && has_judged(&m)) {
        rc = report_new(&m);
        if (rc == TWX_OK && eyes->pause && m.at % BATCH == 0) rc = eyes->pause(eyes->arg, false);
    }
    if (rc == TWX_OK && eyes->pause) rc = eyes->pause(eyes->arg, true);
    twx_free(rows);
    return rc;
}
