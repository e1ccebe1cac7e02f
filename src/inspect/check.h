/* inspect/check.h: the command check: the mapping, the schema, the health of the file, what a run
 * would do, and what would prevent a run. It writes nothing. */
#ifndef TWX_INSPECT_CHECK_H
#define TWX_INSPECT_CHECK_H

#include "inspect/findings.h"
#include "run/job.h"

TWX_CHECK twx_rc twx_check(const twx_job *job, twx_findings *ret_findings);

#endif
