/* run/run.h: the job: lock, check, sign, load, judge, guard, publish. */
#ifndef TWX_RUN_RUN_H
#define TWX_RUN_RUN_H

#include "run/flag_changes.h"
#include "run/job.h"
#include "run/open_store.h"
#include "run/summary.h"

/* Finds, in a dry run, the documents that the filter of a rules file would hide
 * (search/rules_trial.h). */
typedef struct twx_rules_try {
    /* checks the file before the run begins */
    TWX_CHECK twx_rc (*check)(const twx_job *job, const char *path);
    /* o: opened with TWX_NEED_TRIAL; fills in the part of the summary about rules */
    TWX_CHECK twx_rc (*judge)(const twx_job *job, twx_opened *o, const twx_judged *judged,
                              const char *path, twx_summary *summary);
} twx_rules_try;

/* rules: tries options->rules. ret_summary: initialised by the caller; filled as far as the run
 * got. Errors TWX_E_GUARD (nothing was published), TWX_E_BUSY, TWX_E_SUPERSEDED, ... */
TWX_CHECK twx_rc twx_run(const twx_job *job, const twindex_run_options *options,
                         const twx_rules_try *rules, twx_summary *ret_summary);

#endif
