#include "judge/groups.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "group/separate.h"

typedef struct maker {
    twx_ctx *cx;
    const twx_grouping *how;
    twx_union_find sets;
    uint64_t *hreflang; /* by index, when translations are kept separate */
    TWX_VEC(uint32_t) subgroup, first;
} maker;

static bool takes_part(const twx_grouping *how, uint32_t i) {
    return how->eligibility[i] == TWX_ELIGIBLE;
}

static int by_rank(const void *left, const void *right, void *arg) {
    const uint32_t *rank = arg;
    uint32_t a = rank[*(const uint32_t *)left], b = rank[*(const uint32_t *)right];
    return (a > b) - (a < b);
}

/* members: best first. Joins the members of each subgroup with its first. */
static twx_rc join_separate(maker *m, uint32_t *members, size_t n) {
    if (!TWX_VEC_RESERVE(m->cx, &m->subgroup, n) || !TWX_VEC_RESERVE(m->cx, &m->first, n))
        return TWX_E_NOMEM;
    qsort_r(members, n, sizeof *members, by_rank, (void *)(uintptr_t)m->how->rank);
    twx_rc rc = twx_keep_separate(m->cx, members, n, m->how->text, m->hreflang, m->subgroup.at);
    for (size_t i = 0; i < n; i++) m->first.at[i] = TWX_NO_DOCUMENT;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        uint32_t *first = &m->first.at[m->subgroup.at[i]];
        if (*first == TWX_NO_DOCUMENT)
            *first = members[i];
        else
            twx_union_find_join(&m->sets, *first, members[i]);
    }
    return rc;
}

static twx_rc join_run(void *arg, uint32_t *members, size_t n) {
    maker *m = arg;
    size_t in = 0;
    for (size_t i = 0; i < n; i++)
        if (takes_part(m->how, members[i])) members[in++] = members[i];
    if (in < 2) return TWX_OK;
    if (m->hreflang) return join_separate(m, members, in);
    for (size_t i = 1; i < in; i++) twx_union_find_join(&m->sets, members[0], members[i]);
    return TWX_OK;
}

/* The hreflang groups by index; stays NULL when no document has one. */
static twx_rc collect_hreflang(maker *m) {
    const twx_doc_table *p = m->how->p;
    const size_t n = p->at.n;
    size_t i = 0;
    while (i < n && !twx_doc_value(p, TWX_DOC_HREFLANG, i)) i++;
    if (i == n || !m->how->text) return TWX_OK;
    m->hreflang = twx_malloc(m->cx, n * sizeof *m->hreflang);
    if (!m->hreflang) return TWX_E_NOMEM;
    for (i = 0; i < n; i++) m->hreflang[i] = twx_doc_value(p, TWX_DOC_HREFLANG, i);
    return TWX_OK;
}

static void count_groups(twx_groups *g, size_t n) {
    g->largest_rep = TWX_NO_DOCUMENT;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t rep = twx_groups_rep(g, i);
        if (rep == TWX_NO_DOCUMENT) continue;
        if (rep != i) {
            g->copies++;
            continue;
        }
        g->groups++;
        if (twx_groups_count(g, i) > g->largest) {
            g->largest = twx_groups_count(g, i);
            g->largest_rep = i;
        }
    }
}

/* Makes each document's entry that of its best one in the set; of sets of one, TWX_NO_DOCUMENT.
 * best, alone: by root. */
static void find_representatives(const twx_grouping *how, twx_union_find *sets, uint32_t *best,
                                 bool *alone) {
    const uint32_t n = (uint32_t)how->p->at.n;
    for (size_t i = 0; i < n; i++) best[i] = TWX_NO_DOCUMENT;
    for (uint32_t i = 0; i < n; i++) {
        if (!takes_part(how, i)) continue;
        const uint32_t root = twx_union_find_root(sets, i);
        alone[root] = best[root] == TWX_NO_DOCUMENT;
        if (alone[root] || how->rank[i] < how->rank[best[root]]) best[root] = i;
    }
    /* a root is the smallest index of its set, so in descending order it is overwritten last */
    for (uint32_t i = n; i-- > 0;) {
        const uint32_t root = twx_union_find_root(sets, i);
        best[i] = takes_part(how, i) && !alone[root] ? best[root] : TWX_NO_DOCUMENT;
    }
}

twx_rc twx_groups_of_sets(twx_ctx *cx, const twx_grouping *how, twx_union_find *sets,
                          twx_groups *ret_groups) {
    const size_t n = how->p->at.n;
    twx_groups g = {.made = true};
    uint32_t *best = twx_malloc(cx, n * sizeof *best);
    bool *alone = twx_malloc(cx, n * sizeof *alone);
    twx_rc rc = best && alone ? TWX_OK : TWX_E_NOMEM;
    if (rc == TWX_OK) find_representatives(how, sets, best, alone);
    twx_free(alone);
    if (rc == TWX_OK) rc = twx_sparse_groups_make(cx, best, n, &g.of);
    twx_free(best);
    if (rc != TWX_OK) return rc;
    count_groups(&g, n);
    *ret_groups = g;
    return TWX_OK;
}

twx_rc twx_groups_list(twx_ctx *cx, const twx_groups *g, size_t n, uint32_t **ret_rep) {
    uint32_t *rep = twx_malloc(cx, n * sizeof *rep);
    if (!rep) return TWX_E_NOMEM;
    for (uint32_t i = 0; i < n; i++) rep[i] = twx_groups_rep(g, i);
    *ret_rep = rep;
    return TWX_OK;
}

twx_rc twx_groups_sets(twx_ctx *cx, const twx_grouping *how, twx_grouper *grouper,
                       twx_union_find *ret_sets) {
    maker m = {.cx = cx, .how = how};
    twx_rc rc = twx_union_find_init(cx, &m.sets, how->p->at.n);
    if (rc == TWX_OK) rc = collect_hreflang(&m);
    if (rc == TWX_OK) rc = twx_grouper_each(grouper, join_run, &m);
    twx_free(m.hreflang);
    TWX_VEC_DONE(&m.subgroup);
    TWX_VEC_DONE(&m.first);
    if (rc == TWX_OK)
        *ret_sets = m.sets;
    else
        twx_union_find_done(&m.sets);
    return rc;
}

twx_rc twx_groups_make(twx_ctx *cx, const twx_grouping *how, twx_grouper *grouper,
                       twx_groups *ret_groups) {
    twx_union_find sets = {0};
    twx_rc rc = twx_groups_sets(cx, how, grouper, &sets);
    if (rc == TWX_OK) rc = twx_groups_of_sets(cx, how, &sets, ret_groups);
    twx_union_find_done(&sets);
    return rc;
}

void twx_groups_done(twx_groups *g) {
    if (!g) return;
    twx_sparse_groups_done(&g->of);
    *g = (twx_groups){0};
}
