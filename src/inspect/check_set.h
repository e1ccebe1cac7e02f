/* inspect/check_set.h: check and doctor of several stores: of each one, and whether they fit
 * together. */
#ifndef TWX_INSPECT_CHECK_SET_H
#define TWX_INSPECT_CHECK_SET_H

#include "inspect/findings.h"
#include "run/job.h"

typedef twx_rc twx_check_fn(const twx_job *job, twx_findings *ret_findings);

/* Calls `check` for each store of the job, and writes what it finds. With several stores, what they
 * are together comes last: the flags of one run, and no reference to a store that is missing. */
TWX_CHECK twx_rc twx_check_set(const twx_job *job, twx_check_fn *check, const twx_out *out,
                               uint64_t *ret_problems);

#endif
