/* search/rules_trial.h: finds, in a dry run, the documents that the filter of a rules file would
 * hide with the flags that would be published. The flags are written to the scratch file, so that
 * SQLite evaluates the filter as in a search. */
#ifndef TWX_SEARCH_RULES_TRIAL_H
#define TWX_SEARCH_RULES_TRIAL_H

#include "run/run.h"

extern const twx_rules_try TWX_RULES_TRIAL;

#endif
