/* judge/groups.h: from runs of equal keys to groups with a representative. Only documents that take
 * part are members.
 * [R1] Groups are a partition: a document is in at most one. [R2] The representative is the best in
 * the total order. */
#ifndef TWX_JUDGE_GROUPS_H
#define TWX_JUDGE_GROUPS_H

#include "group/grouper.h"
#include "group/union_find.h"
#include "judge/eligible.h"

/* By index. Memory: owned arrays; twx_groups_done(). */
typedef struct twx_groups {
    uint32_t *rep;   /* index of the representative; TWX_NO_DOCUMENT: alone */
    uint32_t *count; /* members, 0: alone */
    uint64_t groups, copies,
        largest;          /* groups of two or more; members that are not the representative */
    uint32_t largest_rep; /* TWX_NO_DOCUMENT: no group */
} twx_groups;

typedef struct twx_grouping {
    const twx_doc_table *p;
    const uint32_t *rank;
    const uint8_t *eligibility;
    const uint64_t
        *text; /* identity of the text by index: translations are kept apart; NULL: they are not */
} twx_grouping;

/* Ends adding to the grouper and makes the groups of its runs. */
TWX_CHECK twx_rc twx_groups_make(twx_ctx *cx, const twx_grouping *how, twx_grouper *grouper,
                                 twx_groups *ret_groups);
/* Groups from sets that were joined by the caller. */
TWX_CHECK twx_rc twx_groups_of_sets(twx_ctx *cx, const twx_grouping *how, twx_union_find *sets,
                                    twx_groups *ret_groups);
void twx_groups_done(twx_groups *g);

#endif
