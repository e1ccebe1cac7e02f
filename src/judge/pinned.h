/* judge/pinned.h: groups and clusters that obey pins.
 * The members that relations join are joined again, one by one, best first. A union is refused when
 * a pin forbids it: when it would contain two separated documents, or a kept document that is not
 * its best. A refused member tries the next part of its group, or starts a new one.
 * [R1] No set contains a separated pair, through whatever chain of relations.
 * [R2] A kept document is its own representative in every group and cluster.
 * [R3] The groups of the relations that the verdict joins are divided like the clusters, so the
 * best document of a cluster is the best of each of its groups.
 * [R4] Only the documents, their keys and the pins matter: relations are processed in their order,
 * documents by rank. Of several documents with a kept URL, the best one is kept.
 * Cost: linear in the documents; sets with pinned documents are compared pin by pin. */
#ifndef TWX_JUDGE_PINNED_H
#define TWX_JUDGE_PINNED_H

#include "judge/groups.h"
#include "judge/pins.h"

typedef struct twx_pinning {
    const twx_pins *pins;
    const twx_grouping *how; /* how->p->pinned is not NULL */
} twx_pinning;

/* Joins the groups of n relations, in this order, to clusters, as far as the pins allow. */
TWX_CHECK twx_rc twx_pinned_join(twx_ctx *cx, const twx_pinning *pinning,
                                 const twx_groups *const *parts, size_t n, twx_groups *ret_groups);
/* Divides the groups of a relation as the clusters are divided. */
TWX_CHECK twx_rc twx_pinned_divide(twx_ctx *cx, const twx_pinning *pinning,
                                   const twx_groups *groups, const twx_groups *clusters,
                                   twx_groups *ret_groups);

#endif
