/* group/sparse_groups.h: a partition of items, most of which are in no group: by item, the
 * representative of its group, and the group's size.
 * Memory: embedded struct; a third of a byte for each item, and 4 bytes for each that was in a
 * group when the partition was made. Owned; twx_sparse_groups_done(). */
#ifndef TWX_GROUP_SPARSE_GROUPS_H
#define TWX_GROUP_SPARSE_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/ctx.h"

#define TWX_IN_NO_GROUP UINT32_MAX

typedef struct twx_sparse_groups {
    size_t n;         /* items; 0: none, also for a struct of zeros */
    uint64_t *in;     /* bit by item: it is, or was, in a group; NULL: no item */
    uint64_t *heads;  /* bit by item: it is a representative */
    uint32_t *before; /* by 64 items: how many of those before them are in a group */
    uint32_t *at;     /* of each of these items: its representative, or the size if it is one */
} twx_sparse_groups;

/* rep: of each of n items, TWX_IN_NO_GROUP for none. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_sparse_groups_make(twx_ctx *cx, const uint32_t *rep, size_t n,
                                        twx_sparse_groups *ret_groups);
void twx_sparse_groups_done(twx_sparse_groups *g);

static inline bool twx_sparse_groups_bit(const uint64_t *bits, uint32_t item) {
    return bits[item / 64] >> item % 64 & 1;
}
/* The place of an item that is, or was, in a group. */
static inline uint32_t *twx_sparse_groups_place(const twx_sparse_groups *g, uint32_t item) {
    const uint64_t below = (UINT64_C(1) << item % 64) - 1;
    return &g->at[g->before[item / 64] + (uint32_t)__builtin_popcountll(g->in[item / 64] & below)];
}
/* The representative of an item's group; TWX_IN_NO_GROUP: it is in none. */
static inline uint32_t twx_sparse_groups_rep(const twx_sparse_groups *g, uint32_t item) {
    if (!g->n || !twx_sparse_groups_bit(g->in, item)) return TWX_IN_NO_GROUP;
    return twx_sparse_groups_bit(g->heads, item) ? item : *twx_sparse_groups_place(g, item);
}
/* How many items are in an item's group; 0: it is in none. */
static inline uint32_t twx_sparse_groups_size(const twx_sparse_groups *g, uint32_t item) {
    const uint32_t rep = twx_sparse_groups_rep(g, item);
    return rep == TWX_IN_NO_GROUP ? 0 : *twx_sparse_groups_place(g, rep);
}

/* The three change an item that was in a group. It leaves its group. */
void twx_sparse_groups_leave(twx_sparse_groups *g, uint32_t item);
/* It follows a representative. */
void twx_sparse_groups_follow(twx_sparse_groups *g, uint32_t item, uint32_t rep);
/* It represents a group of `size` items. */
void twx_sparse_groups_head(twx_sparse_groups *g, uint32_t item, uint32_t size);

#endif
