/* inspect/diff.h: commands on existing results: compare the two generations, restore the previous
 * one, compute their digest. */
#ifndef TWX_INSPECT_DIFF_H
#define TWX_INSPECT_DIFF_H

#include "job/job.h"
#include "report/out.h"

/* Prints the rows that differ between the published generation and the other one, and the number of
 * changes per flag. TWX_E_DOUBT (with a clear context): there are differences. */
TWX_CHECK twx_rc twx_diff(const twx_job *job, size_t limit, const twx_out *out);
TWX_CHECK twx_rc twx_undo(const twx_job *job, const twx_out *out);
TWX_CHECK twx_rc twx_digest_flags(const twx_job *job, const twx_out *out);

#endif
