/* judge/groups.h: turns runs of equal keys into groups with a representative. Only documents that
 * take part are members.
 * [R1] Groups are a partition: a document is in at most one.
 * [R2] The representative is the best member in the total order. */
#ifndef TWX_JUDGE_GROUPS_H
#define TWX_JUDGE_GROUPS_H

#include "group/grouper.h"
#include "group/union_find.h"
#include "judge/eligible.h"

/* By index. Memory: owned arrays; twx_groups_done(). */
typedef struct twx_groups {
    uint32_t *rep;   /* index of the representative; TWX_NO_DOCUMENT: in no group */
    uint32_t *count; /* members, 0: in no group */
    uint64_t groups, copies,
        largest;          /* groups of two or more; members that are not the representative */
    uint32_t largest_rep; /* TWX_NO_DOCUMENT: no group */
} twx_groups;

typedef struct twx_grouping {
    const twx_doc_table *p;
    const uint32_t *rank;
    const uint8_t *eligibility;
    /* identity of the text by index: translations are kept separate; NULL: they are not */
    const uint64_t *text;
} twx_grouping;

/* Ends adding to the grouper and turns its runs into groups. */
TWX_CHECK twx_rc twx_groups_make(twx_ctx *cx, const twx_grouping *how, twx_grouper *grouper,
                                 twx_groups *ret_groups);
/* Turns sets that the caller joined into groups. */
TWX_CHECK twx_rc twx_groups_of_sets(twx_ctx *cx, const twx_grouping *how, twx_union_find *sets,
                                    twx_groups *ret_groups);
void twx_groups_done(twx_groups *g);

#endif
