#include "judge/near_candidates.h"

#include "base/hash64.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "group/sort_entries.h"

typedef struct finder {
    twx_ctx *cx;
    const twx_near *near;
    uint32_t *rank; /* by node */
    twx_near_candidates *c;
    twx_sketches sketches;
} finder;

/* By the parameters that refuse fewer pairs: those for equal names. */
static bool may_pair(const void *arg, const unsigned char *a, const unsigned char *b) {
    const twx_near *near = arg;
    return near->detector->may_verify(near->named ? near->named : near->params, a, b);
}

static void summarize(const void *arg, uint32_t node, twx_summary_line *ret_summary) {
    const twx_near *near = arg;
    char room[TWX_PIECE_MAX];
    near->detector->summarize(twx_pieces_get(&near->payloads, node, room), ret_summary->at);
}

enum { SUMMARIES_AT_ONCE = 4096 };

static twx_rc make_summaries(twx_ctx *cx, void *arg, size_t thread, size_t part) {
    const finder *f = arg;
    const size_t from = part * SUMMARIES_AT_ONCE;
    (void)cx, (void)thread;
    for (size_t k = from; k < f->near->payloads.n && k < from + SUMMARIES_AT_ONCE; k++)
        summarize(f->near, (uint32_t)k, &f->c->lines[k]);
    return TWX_OK;
}

/* Summaries that do not fit into memory are made whenever they are wanted. */
static twx_rc make_sieve(finder *f) {
    const twx_near *near = f->near;
    if (!near->detector || !near->detector->summarize) return TWX_OK;
    f->c->sieve = (twx_sieve){.summarize = summarize,
                              .may_pair = may_pair,
                              .arg = near,
                              .most = near->candidates < TWX_SIEVED_MAX ? near->candidates
                                                                        : TWX_SIEVED_MAX};
    if (f->near->payloads.n > near->memory / 4 / TWX_SUMMARY_BYTES) return TWX_OK;
    f->c->summaries = twx_malloc(f->cx, (f->near->payloads.n + 1) * TWX_SUMMARY_BYTES);
    if (!f->c->summaries) return TWX_E_NOMEM;
    const size_t off = (uintptr_t)f->c->summaries % TWX_SUMMARY_BYTES;
    f->c->lines = (twx_summary_line *)(f->c->summaries + (off ? TWX_SUMMARY_BYTES - off : 0));
    f->c->sieve.summary = f->c->lines;
    return twx_parallel(f->cx, near->threads,
                        (f->near->payloads.n + SUMMARIES_AT_ONCE - 1) / SUMMARIES_AT_ONCE,
                        make_summaries, f);
}

typedef struct node_sketch {
    char room[TWX_PIECE_MAX];
    unsigned char made[TWX_SKETCH_BYTES];
    bool is_short;
} node_sketch;

static const unsigned char *sketch_of(const twx_near *near, size_t node, node_sketch *s) {
    s->is_short = false;
    return near->detector->sketch(twx_pieces_get(&near->payloads, node, s->room), s->made,
                                  &s->is_short);
}

/* The sketches of a block are made by one thread: those of short texts take most of the time. */
static twx_rc make_sketches(twx_ctx *cx, void *arg, size_t thread, size_t block) {
    finder *f = arg;
    node_sketch s;
    const size_t from = block * TWX_SKETCH_ROWS;
    (void)cx, (void)thread;
    for (size_t k = from; k < f->near->payloads.n && k < from + TWX_SKETCH_ROWS; k++) {
        const unsigned char *sketch = sketch_of(f->near, k, &s);
        twx_sketches_set(&f->sketches, k, sketch, s.is_short);
    }
    return TWX_OK;
}

static twx_rc add_sketches(finder *f) {
    node_sketch s;
    twx_rc rc = TWX_OK;
    for (size_t k = 0; rc == TWX_OK && k < f->near->payloads.n; k++) {
        const unsigned char *sketch = sketch_of(f->near, k, &s);
        rc = twx_sketches_add(f->cx, &f->sketches, sketch, s.is_short);
    }
    return rc;
}

static twx_rc collect_sketches(finder *f) {
    const size_t blocks = (f->near->payloads.n + TWX_SKETCH_ROWS - 1) / TWX_SKETCH_ROWS;
    f->sketches = (twx_sketches){.limit = f->near->memory / 4};
    twx_rc rc = twx_sketches_reserve(f->cx, &f->sketches, f->near->payloads.n);
    if (rc == TWX_OK)
        rc = twx_parallel(f->cx, f->near->threads, blocks, make_sketches, f);
    else if (rc == TWX_DONE)
        rc = add_sketches(f);
    return rc == TWX_OK ? twx_pieces_error(f->cx, &f->near->payloads) : rc;
}

/* Finds the nodes that share a band of their sketches. */
static twx_rc search_bands(finder *f) {
    const twx_near *near = f->near;
    if (!near->detector || !near->detector->sketch) return TWX_OK;
    /* they are ranked again before copies are found */
    for (size_t k = 0; k < near->payloads.n; k++)
        if (!near->compared_nodes.at[k]) f->rank[k] = TWX_LEADERS_OUT;
    const twx_band_search search = {.plan = twx_band_plan_for(near->documents),
                                    .sketches = &f->sketches,
                                    .scope = near->scoped ? near->scopes.at : NULL,
                                    .rank = f->rank,
                                    .sieve = f->c->sieve.may_pair ? &f->c->sieve : NULL,
                                    .threads = near->threads,
                                    .memory = near->memory - near->memory / 4};
    const twx_rc rc = collect_sketches(f);
    return rc == TWX_OK ? twx_band_search_runs(f->cx, &search, &f->c->runs) : rc;
}

twx_rc twx_near_find_candidates(twx_ctx *cx, const twx_near *near, uint32_t *rank,
                                twx_near_candidates *c) {
    finder f = {.cx = cx, .near = near, .rank = rank, .c = c};
    twx_rc rc = make_sieve(&f);
    if (rc == TWX_OK) rc = search_bands(&f);
    twx_sketches_done(&f.sketches);
    return rc;
}

twx_rc twx_near_find_forms(twx_ctx *cx, const twx_near *near, const twx_grouping *how,
                           twx_near_candidates *c) {
    struct {
        TWX_VEC(twx_entry) at;
    } forms = {0}, scratch = {0};
    twx_rc rc = TWX_OK;
    for (uint32_t i = 0; rc == TWX_OK && i < how->p->at.n; i++) {
        if (!twx_near_counts(near, how, i) || !near->form.at[i]) continue;
        const uint32_t node = near->node[i];
        const uint64_t scope = near->scoped ? near->scopes.at[node] : 0;
        const twx_entry entry = {.key = twx_mix64(near->form.at[i], scope), .index = node};
        if (!TWX_VEC_PUSH(cx, &forms.at, entry)) rc = TWX_E_NOMEM;
    }
    if (rc == TWX_OK && !TWX_VEC_RESERVE(cx, &scratch.at, forms.at.n)) rc = TWX_E_NOMEM;
    if (rc == TWX_OK) twx_sort_entries(forms.at.at, scratch.at.at, forms.at.n);
    for (size_t from = 0, to; rc == TWX_OK && from < forms.at.n; from = to) {
        const twx_entry *e = forms.at.at;
        const size_t begin = c->forms.members.n;
        for (to = from; rc == TWX_OK && to < forms.at.n && e[to].key == e[from].key; to++)
            if ((to == from || e[to].index != e[to - 1].index) &&
                !TWX_VEC_PUSH(cx, &c->forms.members, e[to].index))
                rc = TWX_E_NOMEM;
        if (c->forms.members.n - begin < 2)
            c->forms.members.n = begin;
        else if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &c->forms.ends, c->forms.members.n))
            rc = TWX_E_NOMEM;
    }
    TWX_VEC_DONE(&forms.at);
    TWX_VEC_DONE(&scratch.at);
    return rc;
}

void twx_near_candidates_done(twx_near_candidates *c) {
    twx_runs_done(&c->runs);
    twx_runs_done(&c->forms);
    twx_free(c->summaries);
}
