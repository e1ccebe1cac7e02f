/* run/count_changes.h: counts what a judgement would change in the published result, for the
 * summary. */
#ifndef TWX_RUN_COUNT_CHANGES_H
#define TWX_RUN_COUNT_CHANGES_H

#include "job/open_store.h"
#include "report/summary.h"
#include "run/flag_changes.h"

typedef struct twx_count_changes_options {
    twx_judged *judged;
    twx_generations *published; /* NULL: nothing is published, or the store is not open */
    char generation;            /* the published one; 0: none */
    bool by_host;               /* list the hosts whose flags change */
    bool list;    /* list the documents that become visible or hidden, with their URLs */
    size_t limit; /* of that list, each kind; 0: all */
} twx_count_changes_options;

/* Fills in changed, changed_flags, hosts and changes of the summary. */
TWX_CHECK twx_rc twx_count_changes(const twx_job *job, twx_opened *o,
                                   const twx_count_changes_options *options,
                                   twx_summary *ret_summary);

#endif
