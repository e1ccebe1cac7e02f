/* The runs of equal keys are turned around: which keys does an item share with others. Then the
 * items are taken in order of rank, and each run keeps a list of those that later ones are
 * compared with. The list lives where the run's members were: it can never be longer. */
#include "group/leaders.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/vec.h"

/* An item that another resembles. */
typedef struct rival {
    uint32_t item;
    int32_t similarity;
} rival;

typedef struct leading {
    twx_ctx *cx;
    const twx_leading *how;
    TWX_VEC(uint32_t) members; /* of all runs; later their lists */
    TWX_VEC(uint64_t) starts;  /* of run r in members; one more at the end */
    uint32_t *listed;          /* of run r: how many are in its list */
    uint64_t *runs_from;       /* of item i in runs; one more at the end */
    uint32_t *runs;            /* the runs of each item, one item behind the other */
    uint32_t *order;           /* items in order of rank */
    size_t ordered;
    uint32_t *met; /* by item: the last one it was compared with, plus 1 */
    TWX_VEC(rival) rivals;
    twx_leaders made;
} leading;

static bool takes_part(const twx_leading *how, uint32_t item) {
    return how->rank[item] != TWX_LEADERS_OUT;
}

/* ---- runs ------------------------------------------------------------------------------------------- */

static twx_rc keep_run(void *arg, uint32_t *members, size_t n) {
    leading *l = arg;
    size_t in = 0;
    for (size_t i = 0; i < n; i++)
        if (takes_part(l->how, members[i])) members[in++] = members[i];
    if (in < 2) return TWX_OK;
    if (l->starts.n >= UINT32_MAX)
        return twx_fail(l->cx, TWX_E_LIMIT, "more than 4 billion groups of candidates");
    if (!TWX_VEC_PUSH(l->cx, &l->starts, l->members.n)) return TWX_E_NOMEM;
    for (size_t i = 0; i < in; i++)
        if (!TWX_VEC_PUSH(l->cx, &l->members, members[i])) return TWX_E_NOMEM;
    return TWX_OK;
}

static twx_rc turn_around(leading *l) {
    size_t n = l->how->n, runs = l->starts.n;
    if (!TWX_VEC_PUSH(l->cx, &l->starts, l->members.n)) return TWX_E_NOMEM;
    l->runs_from = twx_calloc(l->cx, n + 1, sizeof *l->runs_from);
    l->runs = twx_malloc(l->cx, (l->members.n + 1) * sizeof *l->runs);
    l->listed = twx_calloc(l->cx, runs + 1, sizeof *l->listed);
    if (!l->runs_from || !l->runs || !l->listed) return TWX_E_NOMEM;
    for (size_t m = 0; m < l->members.n; m++) l->runs_from[l->members.at[m]]++;
    for (size_t i = 0, from = 0; i <= n; i++) {
        from += l->runs_from[i];
        l->runs_from[i] = from; /* where the item's runs end; each one put there moves it down */
    }
    for (size_t r = runs; r-- > 0;)
        for (uint64_t m = l->starts.at[r]; m < l->starts.at[r + 1]; m++)
            l->runs[--l->runs_from[l->members.at[m]]] = (uint32_t)r;
    return TWX_OK;
}

/* ---- items ------------------------------------------------------------------------------------------ */

static int by_rank(const void *left, const void *right, void *arg) {
    const uint32_t *rank = arg;
    uint32_t a = rank[*(const uint32_t *)left], b = rank[*(const uint32_t *)right];
    return (a > b) - (a < b);
}

static twx_rc put_in_order(leading *l) {
    size_t n = l->how->n;
    l->order = twx_malloc(l->cx, (n + 1) * sizeof *l->order);
    l->met = twx_calloc(l->cx, n + 1, sizeof *l->met);
    l->made.of = twx_malloc(l->cx, (n + 1) * sizeof *l->made.of);
    l->made.similarity = twx_malloc(l->cx, (n + 1) * sizeof *l->made.similarity);
    if (!l->order || !l->met || !l->made.of || !l->made.similarity) return TWX_E_NOMEM;
    for (uint32_t i = 0; i < n; i++) {
        l->made.of[i] = i;
        l->made.similarity[i] = TWX_LEADERS_SAME;
        if (takes_part(l->how, i)) l->order[l->ordered++] = i;
    }
    if (l->ordered)
        qsort_r(l->order, l->ordered, sizeof *l->order, by_rank, (void *)(uintptr_t)l->how->rank);
    return TWX_OK;
}

/* Everybody in the lists of the item's runs whom it resembles. */
static twx_rc find_rivals(leading *l, uint32_t item) {
    l->rivals.n = 0;
    for (uint64_t k = l->runs_from[item]; k < l->runs_from[item + 1]; k++) {
        uint32_t run = l->runs[k];
        const uint32_t *list = &l->members.at[l->starts.at[run]];
        for (uint32_t i = 0; i < l->listed[run]; i++) {
            rival r = {list[i], TWX_LEADERS_SAME};
            if (l->met[r.item] == item + 1) continue;
            l->met[r.item] = item + 1;
            l->made.compared++;
            if (l->how->similarity) r.similarity = l->how->similarity(l->how->arg, r.item, item);
            if (r.similarity >= 0 && !TWX_VEC_PUSH(l->cx, &l->rivals, r)) return TWX_E_NOMEM;
        }
    }
    return TWX_OK;
}

/* Takes the best rival out; ties go to the better rank. */
static rival take_best(leading *l) {
    const uint32_t *rank = l->how->rank;
    size_t best = 0;
    for (size_t i = 1; i < l->rivals.n; i++) {
        const rival *a = &l->rivals.at[i], *b = &l->rivals.at[best];
        if (a->similarity > b->similarity ||
            (a->similarity == b->similarity && rank[a->item] < rank[b->item]))
            best = i;
    }
    rival taken = l->rivals.at[best];
    l->rivals.at[best] = l->rivals.at[--l->rivals.n];
    return taken;
}

static void join_best(leading *l, uint32_t item) {
    while (l->rivals.n > 0) {
        rival r = take_best(l);
        uint32_t leader = l->made.of[r.item];
        if (l->how->may_join && !l->how->may_join(l->how->arg, leader, item)) continue;
        l->made.of[item] = leader;
        l->made.similarity[item] = r.similarity;
        return;
    }
}

/* Later items are compared with this one. */
static void list(leading *l, uint32_t item) {
    for (uint64_t k = l->runs_from[item]; k < l->runs_from[item + 1]; k++) {
        uint32_t run = l->runs[k];
        if (l->listed[run] < l->how->candidates)
            l->members.at[l->starts.at[run] + l->listed[run]++] = item;
        else
            l->made.capped++;
    }
}

static twx_rc lead(leading *l) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < l->ordered; i++) {
        uint32_t item = l->order[i];
        if (i % 1024 == 0) rc = twx_cancelled(l->cx);
        if (rc == TWX_OK) rc = find_rivals(l, item);
        if (rc != TWX_OK) break;
        join_best(l, item);
        if (l->how->join == TWX_JOIN_LINK || l->made.of[item] == item) list(l, item);
    }
    return rc;
}

twx_rc twx_leaders_make(twx_ctx *cx, const twx_leading *how, twx_grouper *grouper,
                        twx_leaders *ret_leaders) {
    leading l = {.cx = cx, .how = how};
    twx_rc rc = twx_grouper_each(grouper, keep_run, &l);
    if (rc == TWX_OK) rc = turn_around(&l);
    if (rc == TWX_OK) rc = put_in_order(&l);
    if (rc == TWX_OK) rc = lead(&l);
    TWX_VEC_DONE(&l.members);
    TWX_VEC_DONE(&l.starts);
    TWX_VEC_DONE(&l.rivals);
    twx_free(l.listed);
    twx_free(l.runs_from);
    twx_free(l.runs);
    twx_free(l.order);
    twx_free(l.met);
    if (rc == TWX_OK)
        *ret_leaders = l.made;
    else
        twx_leaders_done(&l.made);
    return rc;
}

void twx_leaders_done(twx_leaders *l) {
    if (!l) return;
    twx_free(l->of);
    twx_free(l->similarity);
    *l = (twx_leaders){0};
}
