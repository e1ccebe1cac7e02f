/* run/load.h: reads every signed document of a store into a judgement. */
#ifndef TWX_RUN_LOAD_H
#define TWX_RUN_LOAD_H

#include "run/judge_plan.h"

/* ret_judgement: initialised by the caller; filled here, but not judged yet.
 * Errors TWX_E_BUSY (documents were signed meanwhile), TWX_E_CORRUPT */
TWX_CHECK twx_rc twx_load(const twx_job *job, twx_opened *o, const twx_judge_plan *plan,
                          twx_judgement *ret_judgement);

#endif
