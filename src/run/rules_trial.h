/* run/rules_trial.h: in a dry run: which documents the filter of a file of rules would hide with
 * the flags that would be published. The flags are written into the scratch file, so that SQLite
 * evaluates the filter as a search does. */
#ifndef TWX_RUN_RULES_TRIAL_H
#define TWX_RUN_RULES_TRIAL_H

#include "job/open_store.h"
#include "report/summary.h"
#include "run/flag_changes.h"

/* Checks a file of rules, before hours of work. */
TWX_CHECK twx_rc twx_rules_trial_check(const twx_job *job, const char *path);
/* o: of a trial. Fills in what the summary says about rules. */
TWX_CHECK twx_rc twx_rules_trial(const twx_job *job, twx_opened *o, const twx_judged *judged,
                                 const char *path, twx_summary *summary);

#endif
