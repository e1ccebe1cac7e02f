/* run/unchanged.h: whether a judgement would find what is published: no signature has changed since
 * the published flags were judged, and the settings are the same.
 * [R1] Everything that a judgement depends on is part of the fingerprint, is a stored signature, or
 * makes the answer "not known". A file of pins does, because the run reports which of its lines
 * have no effect. */
#ifndef TWX_RUN_UNCHANGED_H
#define TWX_RUN_UNCHANGED_H

#include "report/summary.h"
#include "run/judge_plan.h"

/* Of all settings that decide a judgement, and of the program's version. */
uint64_t twx_judged_fingerprint(const twx_job *job, const twx_sign_plan *sign);
/* Are the flags that `g` has published those of the stored signatures with these settings? If so,
 * the counts of the judgement are copied from the ledger to ret_summary. */
TWX_CHECK twx_rc twx_is_judged(twx_generations *g, const twx_judge_plan *plan, uint64_t fingerprint,
                               bool *ret_judged, twx_summary *ret_summary);

#endif
