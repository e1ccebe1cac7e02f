/* inspect/list_groups.h: the groups of a detector, read and listed. */
#ifndef TWX_INSPECT_LIST_GROUPS_H
#define TWX_INSPECT_LIST_GROUPS_H

#include "inspect/explain_print.h"
#include "run/job.h"
#include "run/out.h"

/* The groups of two or more documents. There may be more of them than fit
 * into memory, so the writer is given one document after the other and writes text as it comes;
 * JSON is collected.
 * Memory: embedded struct; twx_group_list_done(). */
typedef struct twx_group_list {
    const twx_out *out;
    const char *relation; /* whose groups are listed, or "verdict" */
    bool all;             /* all documents of each group are shown */
    uint64_t groups;
    int64_t documents; /* of the current group */
    int64_t shown;     /* of them; the representative does not count */
    json_t *list;
} twx_group_list;

void twx_group_list_done(twx_group_list *list);
/* Begins a group. */
TWX_CHECK twx_rc twx_group_list_begin(twx_group_list *list,
                                      const twx_listed_document *representative, int64_t documents);
/* Does the writer need the URL of the next document? The text shows few of a large group. */
bool twx_group_list_wants_url(const twx_group_list *list);
/* Adds a document to the group. is_representative: it is in the list of JSON as well. */
TWX_CHECK twx_rc twx_group_list_add(twx_group_list *list, const twx_listed_document *d,
                                    bool is_representative);
TWX_CHECK twx_rc twx_group_list_end(twx_group_list *list);

/* Lists the groups of two or more documents, largest first. */

/* relation: the name of a relation (judge/relations.h) or of its detector, "verdict", or NULL for
 * the clusters. limit 0: all groups and all members. */
TWX_CHECK twx_rc twx_list_groups(const twx_job *job, const char *relation, size_t limit,
                                 const twx_out *out);

#endif
