/* inspect/list_groups.h: lists the groups of two or more documents, largest first. */
#ifndef TWX_INSPECT_LIST_GROUPS_H
#define TWX_INSPECT_LIST_GROUPS_H

#include "run/job.h"
#include "run/out.h"

/* relation: the name of a relation (judge/relations.h) or of its detector, "verdict", or NULL for
 * the clusters. limit 0: all groups and all members. */
TWX_CHECK twx_rc twx_list_groups(const twx_job *job, const char *relation, size_t limit,
                                 const twx_out *out);

#endif
