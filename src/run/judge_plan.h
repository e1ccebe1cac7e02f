/* run/judge_plan.h: the settings of judging. */
#ifndef TWX_RUN_JUDGE_PLAN_H
#define TWX_RUN_JUDGE_PLAN_H

#include "judge/guard.h"
#include "run/sign.h"

enum { TWX_COPY_IGNORED_MAX = 256 };

/* Memory: embedded struct; twx_judge_plan_done(). It borrows the sign plan, and options point into
 * it: do not copy. */
typedef struct twx_judge_plan {
    twx_judge_options options;
    twx_guard guard;
    twx_params lowest, named;                       /* options.params and named point to them */
    uint32_t thresholds[TWX_HOST_SECTIONS_MAX + 1]; /* options.thresholds */
    uint32_t ignored[TWX_COPY_IGNORED_MAX];
    size_t n_ignored;
    twx_pins *pins; /* owned; NULL: none */
} twx_judge_plan;

TWX_CHECK twx_rc twx_judge_plan_make(const twx_job *job, const twx_sign_plan *sign,
                                     twx_judge_plan *ret_plan);
void twx_judge_plan_done(twx_judge_plan *plan);

#endif
