/* inspect/diff.h: compares the published generation of flags with the other one. */
#ifndef TWX_INSPECT_DIFF_H
#define TWX_INSPECT_DIFF_H

#include "inspect/result_diff.h"
#include "run/job.h"

/* ret_diff: initialised, with its limit. */
TWX_CHECK twx_rc twx_diff(const twx_job *job, twx_result_diff *ret_diff);

#endif
