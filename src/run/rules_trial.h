/* run/rules_trial.h: finds, in a dry run, the documents that the filter of a rules file would hide
 * with the flags that would be published. The flags are written to the scratch file, so that SQLite
 * evaluates the filter as in a search. */
#ifndef TWX_RUN_RULES_TRIAL_H
#define TWX_RUN_RULES_TRIAL_H

#include "job/open_store.h"
#include "report/summary.h"
#include "run/flag_changes.h"

/* Checks a rules file before the run begins. */
TWX_CHECK twx_rc twx_rules_trial_check(const twx_job *job, const char *path);
/* o: opened with TWX_NEED_TRIAL. Fills in the part of the summary about rules. */
TWX_CHECK twx_rc twx_rules_trial(const twx_job *job, twx_opened *o, const twx_judged *judged,
                                 const char *path, twx_summary *summary);

#endif
