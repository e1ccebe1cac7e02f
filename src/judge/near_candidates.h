/* judge/near_candidates.h: private to judge/near: which nodes may be near-duplicates or copies of
 * each other, besides those that share a key in a grouper. */
#ifndef TWX_JUDGE_NEAR_CANDIDATES_H
#define TWX_JUDGE_NEAR_CANDIDATES_H

#include "group/band_search.h"
#include "judge/near.h"

/* Memory: embedded struct, zeroed; twx_near_candidates_done() */
typedef struct twx_near_candidates {
    unsigned char *summaries; /* memory of those of sieve; NULL: they are not in memory */
    twx_summary_line *lines;  /* in it */
    twx_sieve sieve;          /* may_pair NULL: the detector has no summaries */
    twx_runs runs;            /* of nodes that share a band */
    twx_runs forms;           /* of nodes whose documents are forms of one page */
} twx_near_candidates;

/* Finds the nodes that share a band of their sketches, and makes the sieve. rank, by node: of nodes
 * whose texts can have no near-duplicates it is set to TWX_LEADERS_OUT. Errors TWX_E_NOMEM, those
 * of temporary files */
TWX_CHECK twx_rc twx_near_find_candidates(twx_ctx *cx, const twx_near *near, uint32_t *rank,
                                          twx_near_candidates *c);
/* Lists the nodes whose documents are forms of one page: candidates for copies, whatever their
 * texts have in common. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_near_find_forms(twx_ctx *cx, const twx_near *near, const twx_grouping *how,
                                     twx_near_candidates *c);
void twx_near_candidates_done(twx_near_candidates *c);

#endif
