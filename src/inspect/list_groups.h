/* inspect/list_groups.h: groups of two or more, largest first. */
#ifndef TWX_INSPECT_LIST_GROUPS_H
#define TWX_INSPECT_LIST_GROUPS_H

#include "job/job.h"
#include "report/out.h"

/* slot: a name of judge/relations.h or its detector's, "verdict" or NULL for the clusters. limit 0:
 * all groups, all members. */
TWX_CHECK twx_rc twx_list_groups(const twx_job *job, const char *slot, size_t limit,
                                 const twx_out *out);

#endif
