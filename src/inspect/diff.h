/* inspect/diff.h: what can be done with results that are there: compare the two generations, go
 * back, take their digest. */
#ifndef TWX_INSPECT_DIFF_H
#define TWX_INSPECT_DIFF_H

#include "job/job.h"
#include "report/out.h"

/* Rows that differ between the published generation and the other, flips per flag. TWX_E_DOUBT
 * (with a clear context): some differ. */
TWX_CHECK twx_rc twx_diff(const twx_job *job, size_t limit, const twx_out *out);
TWX_CHECK twx_rc twx_undo(const twx_job *job, const twx_out *out);
TWX_CHECK twx_rc twx_digest_flags(const twx_job *job, const twx_out *out);

#endif
