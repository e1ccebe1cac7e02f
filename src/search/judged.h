/* search/judged.h: relevance judgements (search/hits.h) looked up in a store, and the quality of
 * a ranked list according to them.
 * [R1] The documents of a cluster count as one, because a reader learns nothing from a second copy:
 * its grade is the highest of its documents, the first hit of the cluster has it, and those below
 * have grade 0. So the figures of rules that hide or demote copies do not depend on which copy
 * was judged.
 * [R2] URLs that are not in the store are left out, named and counted.
 * Memory: owned handle. */
#ifndef TWX_SEARCH_JUDGED_H
#define TWX_SEARCH_JUDGED_H

#include "run/job.h"
#include "search/hits.h"

typedef struct twx_judged_queries twx_judged_queries;

typedef struct twx_searching twx_searching;

/* Reads the file and looks up its URLs as they are stored; of a URL that several stores have, the
 * first one counts. s: its stores are open.
 * Errors TWX_E_DATA "path:line: ...", TWX_E_NOTFOUND: there is no such file */
TWX_CHECK twx_rc twx_judged_queries_load(twx_searching *s, const char *path,
                                         twx_judged_queries **ret_queries);
void twx_judged_queries_close(twx_judged_queries *q);
/* TWX_DONE: no document of the store is judged for this query. */
TWX_CHECK twx_rc twx_judged_quality(twx_ctx *cx, twx_judged_queries *q, twx_slice query,
                                    const twx_hits *hits, twx_quality *ret_quality);
/* Warns of the queries of the file that twx_judged_quality() was never asked about. */
void twx_judged_queries_unused(const twx_judged_queries *q, const twx_job *job);

#endif
