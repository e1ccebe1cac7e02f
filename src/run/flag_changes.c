#include "run/internal.h"

/* ==== judged */

static int by_doc(const void *a, const void *b, void *arg) {
    const twx_doc_table *p = arg;
    int64_t x = p->at.at[*(const uint32_t *)a].doc, y = p->at.at[*(const uint32_t *)b].doc;
    return (x > y) - (x < y);
}

static twx_rc make_room(twx_ctx *cx, twx_judged *const *judged, size_t n) {
    for (size_t m = 0; m < n; m++) {
        judged[m]->by_doc = twx_malloc(cx, (judged[m]->n + 1) * sizeof *judged[m]->by_doc);
        if (!judged[m]->by_doc) return TWX_E_NOMEM;
        judged[m]->n = 0;
    }
    return TWX_OK;
}

/* Lists the documents of each store, and sorts those whose numbers do not ascend with their ids. */
static void list_documents(const twx_doc_table *p, twx_judged *const *judged, size_t n) {
    for (size_t i = 0; i < p->at.n; i++) {
        twx_judged *of = judged[p->at.at[i].store];
        of->by_doc[of->n++] = (uint32_t)i;
    }
    for (size_t m = 0; m < n; m++) {
        const uint32_t *order = judged[m]->by_doc;
        bool ordered = true;
        for (size_t k = 1; k < judged[m]->n; k++)
            ordered &= p->at.at[order[k - 1]].doc < p->at.at[order[k]].doc;
        if (!ordered)
            qsort_r(judged[m]->by_doc, judged[m]->n, sizeof *order, by_doc, (void *)(uintptr_t)p);
    }
}

twx_rc twx_judged_order(twx_ctx *cx, const twx_doc_set *j, const twx_judge_options *options,
                        twx_judged *const *ret_judged, size_t n) {
    const twx_doc_table *p = &j->docs;
    bool ordered = n == 1;
    for (size_t m = 0; m < n; m++) *ret_judged[m] = (twx_judged){.j = j, .options = options};
    for (size_t i = 0; i < p->at.n; i++) {
        ret_judged[p->at.at[i].store]->n++;
        ordered &= i == 0 || p->at.at[i - 1].doc < p->at.at[i].doc;
    }
    if (ordered) return TWX_OK;
    const twx_rc rc = make_room(cx, ret_judged, n);
    if (rc == TWX_OK) list_documents(p, ret_judged, n);
    return rc;
}

void twx_judged_done(twx_judged *judged) {
    twx_free(judged->by_doc);
    judged->by_doc = NULL;
}

/* Withdrawn documents have no flags. */
static twx_rc next_judged(void *arg, twx_flag_row *ret_row, uint32_t *ret_index) {
    twx_judged *judged = arg;
    while (judged->at < judged->n) {
        const uint32_t index = twx_judged_index(judged, judged->at++);
        if (twx_is_withdrawn(judged->j, index)) continue;
        twx_judged_row(judged->j, judged->options, index, ret_row);
        *ret_index = index;
        return TWX_OK;
    }
    return TWX_DONE;
}

static twx_rc rewind_judged(void *arg) {
    twx_judged *judged = arg;
    judged->at = 0;
    return TWX_OK;
}

static int64_t doc_at(const twx_judged *judged, size_t at) {
    return judged->j->docs.at.at[twx_judged_index(judged, at)].doc;
}

static twx_rc find_judged(void *arg, int64_t doc, twx_flag_row *ret_row) {
    twx_judged *judged = arg;
    uint32_t index = 0;
    while (judged->at < judged->n && doc_at(judged, judged->at) < doc) judged->at++;
    if (judged->at == judged->n || doc_at(judged, judged->at) != doc ||
        twx_is_withdrawn(judged->j, twx_judged_index(judged, judged->at)))
        return TWX_DONE;
    return next_judged(judged, ret_row, &index);
}

twx_flag_rows twx_judged_rows(twx_judged *judged) {
    return (twx_flag_rows){judged, rewind_judged, next_judged, find_judged};
}

/* ==== flag_changes */

/* What is published is merged with what was judged: the next row of each is known, and the one with
 * the smaller number is compared with nothing, while the other one waits. */

enum { ASK_EVERY = 4096 /* pairs between two checks of the cancel flag */ };

twx_rc twx_flag_changes(twx_ctx *cx, const twx_flag_rows *rows, twx_generations *g, char generation,
                        twx_flag_change_fn *fn, void *arg) {
    twx_flags_cursor published = {0};
    twx_flag_row row;
    const twx_flag_row *judged = NULL;
    uint32_t index = TWX_NO_DOCUMENT;
    twx_rc rc = rows->rewind(rows->arg);
    if (rc == TWX_OK) rc = twx_flags_cursor_init(cx, g, generation, &published);
    for (uint64_t n = 1; rc == TWX_OK; n++) {
        const twx_flag_row *stored = NULL;
        if (!judged) rc = rows->next(rows->arg, &row, &index);
        if (rc == TWX_OK) judged = &row;
        if (rc == TWX_OK || rc == TWX_DONE) rc = twx_flags_cursor_read(&published, &stored);
        if (rc != TWX_OK || (!stored && !judged)) break;
        const twx_flag_row *fresh = stored && judged && stored->doc < judged->doc ? NULL : judged;
        if (fresh && stored && fresh->doc < stored->doc) stored = NULL;
        if (!stored || !fresh || !twx_flag_row_eq(stored, fresh))
            rc = fn(arg, &(twx_flag_change){stored, fresh, fresh ? index : TWX_NO_DOCUMENT});
        if (stored) twx_flags_cursor_move(&published);
        if (fresh) judged = NULL;
        if (rc == TWX_OK && n % ASK_EVERY == 0) rc = twx_cancelled(cx);
    }
    twx_flags_cursor_done(&published);
    return rc;
}

/* The same of the documents of other stores, of which there are few. */
twx_rc twx_remote_changes(const twx_remote_rows *rows, twx_db *db, char generation,
                          twx_remote_change_fn *fn, void *arg) {
    twx_remotes_cursor published = {0};
    twx_remote row;
    const twx_remote *judged = NULL;
    twx_rc rc = rows->rewind(rows->arg);
    if (rc == TWX_OK) rc = twx_remotes_cursor_init(db, generation, &published);
    while (rc == TWX_OK) {
        const twx_remote *stored = NULL;
        if (!judged) rc = rows->next(rows->arg, &row);
        if (rc == TWX_OK) judged = &row;
        if (rc == TWX_OK || rc == TWX_DONE) rc = twx_remotes_cursor_read(&published, &stored);
        if (rc != TWX_OK || (!stored && !judged)) break;
        const twx_remote *fresh = stored && judged && stored->doc < judged->doc ? NULL : judged;
        if (fresh && stored && fresh->doc < stored->doc) stored = NULL;
        if (!stored || !fresh || !twx_remote_eq(stored, fresh)) rc = fn(arg, stored, fresh);
        if (stored) twx_remotes_cursor_move(&published);
        if (fresh) judged = NULL;
    }
    twx_remotes_cursor_done(&published);
    return rc;
}
