/* cluster/near_plan.h: the settings of near-duplicates and copies where there is no store, and the
 * expressions by which servers make keys of candidates from the columns of texts.
 * [R1] Two texts share a key of the expressions if, and only if, they share a candidate key of the
 * method in a collection of that size, apart from equal 64-bit hashes. */
#ifndef TWX_CLUSTER_NEAR_PLAN_H
#define TWX_CLUSTER_NEAR_PLAN_H

#include "run/judge_plan.h"

/* Memory: embedded struct; twx_near_plan_done(). It does not move. */
typedef struct twx_near_plan {
    twx_sign_plan sign;
    twx_judge_plan judge;
} twx_near_plan;

TWX_CHECK twx_rc twx_near_plan_make(const twx_job *job, twx_near_plan *ret_plan);
void twx_near_plan_done(twx_near_plan *plan);

/* A list of expressions, separated by commas, over s (the sketch), first and scope, for the texts
 * whose column `near` is least..most. */
typedef struct twx_near_keys {
    twx_buf list;
    unsigned least, most; /* twx_near_kind */
} twx_near_keys;

/* The next list, from key number *at on, which is advanced; TWX_DONE: there are no more.
 * Errors TWX_E_NOMEM, TWX_E_LIMIT */
TWX_CHECK twx_rc twx_near_keys_next(twx_ctx *cx, const twx_near_plan *plan, uint64_t documents,
                                    size_t *at, twx_near_keys *keys);

#endif
