/* Rows of twindex_signature are read in order of the source's id and added to the judgement
 * unchanged: a heap has the next row of each store. The judgement reserves memory for the initial
 * number of rows; an additional row means that another process is signing documents at the same
 * time. */
#include "run/load.h"

#include <inttypes.h>

#include "base/alloc.h"

/* A store with its next row. */
typedef struct reading {
    twx_signatures_cursor *rows;
    twx_stored stored;
    twx_value id;
    uint16_t member;
} reading;

typedef struct loader {
    twx_ctx *cx;
    const twx_load_store *stores;
    size_t n;
    twx_judgement *j;
    reading *readings; /* by store */
    reading **heap;    /* those that have a row; the first has the lowest id */
    size_t waiting;
    size_t failed;
} loader;

/* ---- the heap ------------------------------------------------------------ */

static bool is_before(const reading *a, const reading *b) {
    const int order = twx_value_compare(&a->id, &b->id);
    return order ? order < 0 : a->member < b->member;
}

static void sift_down(loader *l, size_t at) {
    for (;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < l->waiting; child++)
            if (is_before(l->heap[child], l->heap[least])) least = child;
        if (least == at) return;
        reading *moved = l->heap[at];
        l->heap[at] = l->heap[least];
        l->heap[least] = moved;
        at = least;
    }
}

/* ---- rows ---------------------------------------------------------------- */

/* Errors concern this store. TWX_DONE: it has no more rows. */
static twx_rc read_next(loader *l, reading *r) {
    const twx_load_store *from = &l->stores[r->member];
    l->failed = r->member;
    const twx_rc rc = twx_signatures_cursor_next(r->rows, &r->stored, &r->id);
    if (rc == TWX_OK && l->n > 1 && twx_is_remote(r->stored.doc))
        return twx_fail(l->cx, TWX_E_DATA,
                        "%s: the id %" PRId64
                        " is not possible in a run over several stores: documents of other stores "
                        "have numbers from -2^62 down",
                        from->job->store, r->stored.doc);
    return rc;
}

static twx_rc add(loader *l, const reading *r) {
    const size_t n = l->j->docs.at.n;
    const twx_judged_document doc = {.member = r->member,
                                     .doc = r->stored.doc,
                                     .facts = r->stored.facts,
                                     .record = r->stored.keys};
    l->failed = r->member;
    if (n == l->j->capacity)
        return twx_fail(l->cx, TWX_E_BUSY, "%s: signatures were added while they were read",
                        l->stores[r->member].job->store);
    const twx_rc rc = twx_judgement_add(l->cx, l->j, &doc);
    return rc == TWX_OK && n % 4096 == 0 ? twx_cancelled(l->cx) : rc;
}

static twx_rc begin_reading(loader *l, uint16_t member) {
    const twx_load_store *from = &l->stores[member];
    reading *r = &l->readings[member];
    r->member = member;
    l->failed = member;
    twx_rc rc = twx_signatures_cursor_open(from->o->signatures,
                                           twx_source_is_direct(from->o->source), &r->rows);
    if (rc == TWX_OK) rc = read_next(l, r);
    if (rc == TWX_OK) l->heap[l->waiting++] = r;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc merge(loader *l) {
    twx_rc rc = TWX_OK;
    for (size_t m = 0; rc == TWX_OK && m < l->n; m++) rc = begin_reading(l, (uint16_t)m);
    for (size_t at = l->waiting / 2; at-- > 0;) sift_down(l, at);
    while (rc == TWX_OK && l->waiting) {
        reading *r = l->heap[0];
        rc = add(l, r);
        if (rc == TWX_OK) rc = read_next(l, r);
        if (rc == TWX_DONE) {
            l->heap[0] = l->heap[--l->waiting];
            rc = TWX_OK;
        }
        if (l->waiting) sift_down(l, 0);
    }
    return rc;
}

static twx_rc count(loader *l, size_t *ret_documents) {
    twx_rc rc = TWX_OK;
    for (size_t m = 0; rc == TWX_OK && m < l->n; m++) {
        uint64_t documents = 0;
        l->failed = m;
        rc = twx_signatures_count(l->stores[m].o->signatures, &documents);
        *ret_documents += (size_t)documents;
    }
    return rc;
}

twx_rc twx_load(twx_ctx *cx, const twx_load_store *stores, size_t n, const twx_judge_plan *plan,
                size_t *ret_failed, twx_judgement *ret_judgement) {
    loader l = {.cx = cx, .stores = stores, .n = n, .j = ret_judgement};
    size_t documents = 0;
    l.readings = twx_calloc(cx, n, sizeof *l.readings);
    l.heap = twx_calloc(cx, n, sizeof *l.heap);
    twx_rc rc = l.readings && l.heap ? TWX_OK : TWX_E_NOMEM;
    if (rc == TWX_OK) rc = count(&l, &documents);
    if (rc == TWX_OK) {
        l.failed = n;
        rc = twx_judgement_begin(cx, ret_judgement, &plan->options, documents,
                                 (size_t)stores[0].job->settings->run_memory);
    }
    if (rc == TWX_OK) rc = merge(&l);
    for (size_t m = 0; l.readings && m < n; m++) twx_signatures_cursor_close(l.readings[m].rows);
    twx_free(l.readings);
    twx_free(l.heap);
    *ret_failed = l.failed;
    return rc;
}
