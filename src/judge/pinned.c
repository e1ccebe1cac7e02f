#include "judge/pinned.h"

#include "base/alloc.h"

typedef struct joiner {
    const twx_pinning *pinning;
    const uint32_t *pinned; /* by document: 1 + index of its URL in the pins; 0: no pin */
    twx_union_find sets;
    uint32_t *by_rank; /* indexes, best first */
    uint32_t *best;    /* by root: the best document of the set */
    /* The pinned documents of each set are a list: `first` and `last` by root, `next` by document.
     * TWX_NO_DOCUMENT ends it. */
    uint32_t *first, *last, *next;
    /* The parts of each group are a list of their best documents: `head` by the group's
     * representative, `next_head` by document. */
    uint32_t *head, *next_head;
    uint32_t *kept;  /* by URL: its best document that takes part, if the URL is kept */
    uint32_t *stamp; /* by URL: the last set found to contain it */
    uint32_t stamps;
} joiner;

static void done(joiner *j) {
    uint32_t *const arrays[] = {j->by_rank, j->best,      j->first, j->last, j->next,
                                j->head,    j->next_head, j->kept,  j->stamp};
    for (size_t i = 0; i < TWX_COUNTOF(arrays); i++) twx_free(arrays[i]);
    twx_union_find_done(&j->sets);
}

static void set_up(joiner *j) {
    const twx_grouping *how = j->pinning->how;
    const size_t n = how->p->at.n;
    for (uint32_t i = 0; i < n; i++) {
        j->by_rank[how->rank[i]] = i;
        j->best[i] = i;
        j->first[i] = j->last[i] = j->pinned[i] ? i : TWX_NO_DOCUMENT;
        j->next[i] = TWX_NO_DOCUMENT;
    }
    for (size_t r = n; r-- > 0;) { /* the best one is written last and stays */
        const uint32_t i = j->by_rank[r];
        if (j->pinned[i] && how->eligibility[i] == TWX_ELIGIBLE &&
            twx_pins_keeps(j->pinning->pins, j->pinned[i] - 1))
            j->kept[j->pinned[i] - 1] = i;
    }
}

static twx_rc init(twx_ctx *cx, joiner *j) {
    const size_t n = j->pinning->how->p->at.n, urls = twx_pins_urls(j->pinning->pins);
    uint32_t **const by_index[] = {&j->by_rank, &j->best, &j->first,    &j->last,
                                   &j->next,    &j->head, &j->next_head};
    twx_rc rc = twx_union_find_init(cx, &j->sets, n);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(by_index); i++)
        if (!(*by_index[i] = twx_malloc(cx, (n + 1) * sizeof(uint32_t)))) rc = TWX_E_NOMEM;
    if (rc == TWX_OK) j->kept = twx_malloc(cx, (urls + 1) * sizeof *j->kept);
    if (rc == TWX_OK) j->stamp = twx_calloc(cx, urls + 1, sizeof *j->stamp);
    if (rc == TWX_OK && (!j->kept || !j->stamp)) rc = TWX_E_NOMEM;
    for (size_t u = 0; rc == TWX_OK && u < urls; u++) j->kept[u] = TWX_NO_DOCUMENT;
    if (rc == TWX_OK) set_up(j);
    return rc;
}

static bool is_kept(const joiner *j, uint32_t i) {
    return j->pinned[i] && j->kept[j->pinned[i] - 1] == i;
}

/* Whether the pins separate some document of one set from some document of the other. */
static bool are_separated(joiner *j, uint32_t a, uint32_t b) {
    if (j->first[a] == TWX_NO_DOCUMENT || j->first[b] == TWX_NO_DOCUMENT) return false;
    j->stamps++;
    for (uint32_t i = j->first[b]; i != TWX_NO_DOCUMENT; i = j->next[i])
        j->stamp[j->pinned[i] - 1] = j->stamps;
    for (uint32_t i = j->first[a]; i != TWX_NO_DOCUMENT; i = j->next[i]) {
        size_t n = 0;
        const uint32_t *partner = twx_pins_partners(j->pinning->pins, j->pinned[i] - 1, &n);
        for (size_t k = 0; k < n; k++)
            if (j->stamp[partner[k]] == j->stamps) return true;
    }
    return false;
}

/* Joins the sets of two documents if the pins allow it. */
static bool join(joiner *j, uint32_t x, uint32_t y) {
    uint32_t a = twx_union_find_root(&j->sets, x), b = twx_union_find_root(&j->sets, y);
    const uint32_t *rank = j->pinning->how->rank;
    if (a == b) return true;
    /* the smaller root stays */
    if (b < a) {
        const uint32_t swap = a;
        a = b;
        b = swap;
    }
    const bool a_wins = rank[j->best[a]] < rank[j->best[b]];
    if (is_kept(j, j->best[a_wins ? b : a]) || are_separated(j, a, b)) return false;
    twx_union_find_join(&j->sets, a, b);
    if (!a_wins) j->best[a] = j->best[b];
    if (j->first[a] == TWX_NO_DOCUMENT)
        j->first[a] = j->first[b];
    else
        j->next[j->last[a]] = j->first[b];
    if (j->last[b] != TWX_NO_DOCUMENT) j->last[a] = j->last[b];
    return true;
}

static void join_part(joiner *j, const twx_groups *part) {
    const size_t n = j->sets.n;
    for (size_t i = 0; i < n; i++) j->head[i] = j->next_head[i] = TWX_NO_DOCUMENT;
    for (size_t r = 0; r < n; r++) {
        const uint32_t i = j->by_rank[r];
        const uint32_t rep = twx_groups_rep(part, i);
        if (rep == TWX_NO_DOCUMENT) continue;
        uint32_t *at = &j->head[rep];
        while (*at != TWX_NO_DOCUMENT && !join(j, *at, i)) at = &j->next_head[*at];
        if (*at == TWX_NO_DOCUMENT) *at = i;
    }
}

twx_rc twx_pinned_join(twx_ctx *cx, const twx_pinning *pinning, const twx_groups *const *parts,
                       size_t n, twx_groups *ret_groups) {
    joiner j = {.pinning = pinning, .pinned = pinning->how->p->pinned};
    twx_rc rc = init(cx, &j);
    for (size_t k = 0; rc == TWX_OK && k < n; k++) {
        join_part(&j, parts[k]);
        rc = twx_cancelled(cx);
    }
    if (rc == TWX_OK) rc = twx_groups_of_sets(cx, pinning->how, &j.sets, ret_groups);
    done(&j);
    return rc;
}

twx_rc twx_pinned_divide(twx_ctx *cx, const twx_pinning *pinning, const twx_groups *groups,
                         const twx_groups *clusters, twx_groups *ret_groups) {
    twx_union_find sets = {0};
    twx_map64 first; /* group and cluster -> the first document that is in both */
    twx_map64_init(&first, 0);
    twx_rc rc = twx_union_find_init(cx, &sets, pinning->how->p->at.n);
    for (uint32_t i = 0; rc == TWX_OK && i < sets.n; i++) {
        const uint32_t rep = twx_groups_rep(groups, i), survivor = twx_groups_rep(clusters, i),
                       cluster = survivor == TWX_NO_DOCUMENT ? i : survivor;
        uint64_t holder = i;
        if (rep == TWX_NO_DOCUMENT) continue;
        rc = twx_map64_add(cx, &first, (uint64_t)rep << 32 | cluster, i, &holder);
        if (rc == TWX_OK) twx_union_find_join(&sets, (uint32_t)holder, i);
    }
    if (rc == TWX_OK) rc = twx_groups_of_sets(cx, pinning->how, &sets, ret_groups);
    twx_union_find_done(&sets);
    twx_map64_done(&first);
    return rc;
}
