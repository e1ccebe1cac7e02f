/* judge/groups.h: turns runs of equal keys into groups with a representative. Only documents that
 * take part are members.
 * [R1] Groups are a partition: a document is in at most one.
 * [R2] The representative is the best member in the total order. */
#ifndef TWX_JUDGE_GROUPS_H
#define TWX_JUDGE_GROUPS_H

#include "group/grouper.h"
#include "group/sparse_groups.h"
#include "group/union_find.h"
#include "judge/eligible.h"

/* By index. Memory: owned; twx_groups_done(). */
typedef struct twx_groups {
    bool made; /* false: the relation is not used */
    twx_sparse_groups of;
    uint64_t groups, copies,
        largest;          /* groups of two or more; members that are not the representative */
    uint32_t largest_rep; /* TWX_NO_DOCUMENT: no group */
} twx_groups;

/* The index of a document's representative; TWX_NO_DOCUMENT: it is in no group. */
static inline uint32_t twx_groups_rep(const twx_groups *g, uint32_t i) {
    return twx_sparse_groups_rep(&g->of, i);
}
/* The members of its group; 0: it is in none. */
static inline uint32_t twx_groups_count(const twx_groups *g, uint32_t i) {
    return twx_sparse_groups_size(&g->of, i);
}
/* The representatives of all n documents. Memory: the caller's, twx_free(). Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_groups_list(twx_ctx *cx, const twx_groups *g, size_t n, uint32_t **ret_rep);

typedef struct twx_grouping {
    const twx_doc_table *p;
    const uint32_t *rank;
    const uint8_t *eligibility;
    /* identity of the text by index: translations are kept separate; NULL: they are not */
    const uint64_t *text;
} twx_grouping;

/* Ends adding to the grouper and joins the members of its runs that take part. */
TWX_CHECK twx_rc twx_groups_sets(twx_ctx *cx, const twx_grouping *how, twx_grouper *grouper,
                                 twx_union_find *ret_sets);
/* Ends adding to the grouper and turns its runs into groups. */
TWX_CHECK twx_rc twx_groups_make(twx_ctx *cx, const twx_grouping *how, twx_grouper *grouper,
                                 twx_groups *ret_groups);
/* Turns sets that the caller joined into groups. */
TWX_CHECK twx_rc twx_groups_of_sets(twx_ctx *cx, const twx_grouping *how, twx_union_find *sets,
                                    twx_groups *ret_groups);
void twx_groups_done(twx_groups *g);

#endif
