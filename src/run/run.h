/* run/run.h: the job: lock, check, sign, load, judge, guard, publish. */
#ifndef TWX_RUN_RUN_H
#define TWX_RUN_RUN_H

#include "job/job.h"
#include "report/summary.h"

/* ret_summary: initialised by the caller; filled as far as the run got. Errors TWX_E_GUARD (nothing
 * was published), TWX_E_BUSY, TWX_E_SUPERSEDED, ... */
TWX_CHECK twx_rc twx_run(const twx_job *job, const twindex_run_options *options,
                         twx_summary *ret_summary);

#endif
