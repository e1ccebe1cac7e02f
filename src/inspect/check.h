/* inspect/check.h: the check: mapping, schema, health of the file, what a run would do and why
 * nothing would run. Writes nothing. */
#ifndef TWX_INSPECT_CHECK_H
#define TWX_INSPECT_CHECK_H

#include "job/job.h"
#include "report/out.h"

/* TWX_E_DOUBT (with a clear context): there is something to look at. */
TWX_CHECK twx_rc twx_check(const twx_job *job, const twx_out *out);

#endif
