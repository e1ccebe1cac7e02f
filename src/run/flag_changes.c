#include "run/internal.h"

/* ==== remote_changes */

twx_rc twx_remote_changes_init(const twx_remote_rows *rows, twx_db *db, char generation,
                               twx_remote_changes *ret_changes) {
    twx_remote_changes c = {.end = !rows};
    twx_rc rc = TWX_OK;
    if (rows) {
        c.rows = *rows;
        rc = rows->rewind(rows->arg);
    }
    if (rc == TWX_OK) rc = twx_remotes_cursor_init(db, generation, &c.stored);
    if (rc == TWX_OK) *ret_changes = c;
    return rc;
}

void twx_remote_changes_done(twx_remote_changes *changes) {
    twx_remotes_cursor_done(&changes->stored);
}

static twx_rc read_fresh_remote(twx_remote_changes *c) {
    if (c->waits || c->end) return TWX_OK;
    const twx_rc rc = c->rows.next(c->rows.arg, &c->fresh);
    c->waits = rc == TWX_OK;
    c->end = rc == TWX_DONE;
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* The next difference; *ret_same: a row that is stored as it should be. */
static twx_rc next_remote_pair(twx_remote_changes *c, twx_remote_change *ret_change,
                               bool *ret_same) {
    const twx_remote *stored = NULL;
    *ret_same = false;
    twx_rc rc = read_fresh_remote(c);
    if (rc == TWX_OK) rc = twx_remotes_cursor_read(&c->stored, &stored);
    if (rc != TWX_OK) return rc;
    if (!stored && !c->waits) return TWX_DONE;
    if (stored && (!c->waits || stored->doc < c->fresh.doc)) {
        *ret_change = (twx_remote_change){.doc = stored->doc};
        twx_remotes_cursor_move(&c->stored);
        return TWX_OK;
    }
    if (stored && stored->doc == c->fresh.doc) {
        *ret_same = twx_remote_eq(stored, &c->fresh);
        twx_remotes_cursor_move(&c->stored);
    }
    c->given = c->fresh;
    c->waits = false;
    *ret_change = (twx_remote_change){.doc = c->given.doc, .fresh = &c->given};
    return TWX_OK;
}

twx_rc twx_remote_changes_next(twx_remote_changes *c, twx_remote_change *ret_change) {
    bool same = false;
    twx_rc rc = TWX_OK;
    do rc = next_remote_pair(c, ret_change, &same);
    while (rc == TWX_OK && same);
    return rc;
}

/* ==== flag_changes */

enum { ASK_EVERY = 4096 /* documents between two checks of the cancel flag */ };

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

twx_rc twx_flag_changes_init(twx_ctx *cx, const twx_flag_rows *rows, twx_generations *g,
                             char generation, twx_flag_changes *ret_changes) {
    *ret_changes = (twx_flag_changes){.cx = cx, .rows = *rows};
    twx_rc rc = rows->rewind(rows->arg);
    return rc == TWX_OK ? twx_flags_cursor_init(cx, g, generation, &ret_changes->stored) : rc;
}

void twx_flag_changes_done(twx_flag_changes *changes) {
    twx_flags_cursor_done(&changes->stored);
}

static twx_rc read_fresh(twx_flag_changes *c) {
    if (c->waits || c->end) return TWX_OK;
    const twx_rc rc = c->rows.next(c->rows.arg, &c->fresh, &c->index);
    c->waits = rc == TWX_OK;
    c->end = rc == TWX_DONE;
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    return ++c->n_read % ASK_EVERY == 0 ? twx_cancelled(c->cx) : TWX_OK;
}

/* The next pair of rows with the same doc, one of which may be missing. TWX_DONE: there is none. */
static twx_rc next_pair(twx_flag_changes *c, twx_flag_change *ret_pair) {
    const twx_flag_row *stored = NULL;
    twx_rc rc = read_fresh(c);
    if (rc == TWX_OK) rc = twx_flags_cursor_read(&c->stored, &stored);
    if (rc != TWX_OK) return rc;
    bool fresh = c->waits;
    if (!stored && !fresh) return TWX_DONE;
    if (stored && fresh) {
        if (c->fresh.doc < stored->doc)
            stored = NULL;
        else if (c->fresh.doc > stored->doc)
            fresh = false;
    }
    *ret_pair = (twx_flag_change){.stored = stored, .index = TWX_NO_DOCUMENT};
    if (stored) twx_flags_cursor_move(&c->stored);
    if (!fresh) return TWX_OK;
    c->given = c->fresh;
    c->waits = false;
    ret_pair->fresh = &c->given;
    ret_pair->index = c->index;
    return TWX_OK;
}

twx_rc twx_flag_changes_next(twx_flag_changes *c, twx_flag_change *ret_change) {
    twx_flag_change pair = {0};
    twx_rc rc = TWX_OK;
    do rc = next_pair(c, &pair);
    while (rc == TWX_OK && pair.stored && pair.fresh && twx_flag_row_eq(pair.stored, pair.fresh));
    if (rc == TWX_OK) *ret_change = pair;
    return rc;
}
