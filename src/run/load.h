/* run/load.h: reads every signed document of some stores into a judgement: a merge by id, so that
 * the order does not depend on which store a document is in. */
#ifndef TWX_RUN_LOAD_H
#define TWX_RUN_LOAD_H

#include "run/judge_plan.h"

typedef struct twx_load_store {
    const twx_job *job;
    twx_opened *o;
} twx_load_store;

/* stores[0..n), in order of their names, are the members 0 to n - 1 of the judgement.
 * ret_judgement: initialised by the caller; filled here, but not judged yet. ret_failed: after an
 * error the number of the store that it concerns; n: none.
 * Errors TWX_E_BUSY (documents were signed meanwhile), TWX_E_CORRUPT; TWX_E_DATA: an id is in the
 * range of numbers that documents of other stores have (store/remotes.h) */
TWX_CHECK twx_rc twx_load(twx_ctx *cx, const twx_load_store *stores, size_t n,
                          const twx_judge_plan *plan, size_t *ret_failed,
                          twx_judgement *ret_judgement);

#endif
