/* inspect/suggest.h: `check --suggest`: prints a configuration for a store filled by another
 * program, with comments that show its effect: three sample rows, fill rates and warnings. It
 * writes nothing. */
#ifndef TWX_INSPECT_SUGGEST_H
#define TWX_INSPECT_SUGGEST_H

#include "inspect/suggestion.h"
#include "run/job.h"

/* TWX_E_CONFIG: no documents were found. */
TWX_CHECK twx_rc twx_suggest(const twx_job *job, twx_suggestion *ret_suggestion);

#endif
