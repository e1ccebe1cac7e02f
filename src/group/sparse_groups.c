#include "group/sparse_groups.h"

#include "base/alloc.h"

static void set_bit(uint64_t *bits, uint32_t item) {
    bits[item / 64] |= UINT64_C(1) << item % 64;
}

static void clear_bit(uint64_t *bits, uint32_t item) {
    bits[item / 64] &= ~(UINT64_C(1) << item % 64);
}

void twx_sparse_groups_done(twx_sparse_groups *g) {
    if (!g) return;
    twx_free(g->in);
    twx_free(g->heads);
    twx_free(g->before);
    twx_free(g->at);
    *g = (twx_sparse_groups){0};
}

/* Fills the bits; returns how many items are in groups. */
static size_t mark(twx_sparse_groups *g, const uint32_t *rep) {
    size_t members = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        if (i % 64 == 0) g->before[i / 64] = (uint32_t)members;
        if (rep[i] == TWX_IN_NO_GROUP) continue;
        set_bit(g->in, i);
        if (rep[i] == i) set_bit(g->heads, i);
        members++;
    }
    return members;
}

twx_rc twx_sparse_groups_make(twx_ctx *cx, const uint32_t *rep, size_t n,
                              twx_sparse_groups *ret_groups) {
    const size_t words = n / 64 + 1;
    twx_sparse_groups g = {.n = n,
                           .in = twx_calloc(cx, words, sizeof *g.in),
                           .heads = twx_calloc(cx, words, sizeof *g.heads),
                           .before = twx_calloc(cx, words, sizeof *g.before)};
    const bool room = g.in && g.heads && g.before;
    if (room) g.at = twx_calloc(cx, mark(&g, rep), sizeof *g.at);
    if (!g.at) {
        twx_sparse_groups_done(&g);
        return TWX_E_NOMEM;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (rep[i] == TWX_IN_NO_GROUP) continue;
        if (rep[i] != i) *twx_sparse_groups_place(&g, i) = rep[i];
        ++*twx_sparse_groups_place(&g, rep[i]);
    }
    *ret_groups = g;
    return TWX_OK;
}

void twx_sparse_groups_leave(twx_sparse_groups *g, uint32_t item) {
    clear_bit(g->heads, item);
    *twx_sparse_groups_place(g, item) = TWX_IN_NO_GROUP;
}

void twx_sparse_groups_follow(twx_sparse_groups *g, uint32_t item, uint32_t rep) {
    clear_bit(g->heads, item);
    *twx_sparse_groups_place(g, item) = rep;
}

void twx_sparse_groups_head(twx_sparse_groups *g, uint32_t item, uint32_t size) {
    set_bit(g->heads, item);
    *twx_sparse_groups_place(g, item) = size;
}
