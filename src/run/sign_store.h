/* run/sign_store.h: the command sign: the first half of a run, which brings the stored signatures
 * up to date and publishes nothing. */
#ifndef TWX_RUN_SIGN_STORE_H
#define TWX_RUN_SIGN_STORE_H

#include "run/job.h"
#include "run/sign_summary.h"

/* full: signs every document again. Errors as of a run. */
TWX_CHECK twx_rc twx_sign_store(const twx_job *job, bool full, twx_sign_summary *ret_summary);

#endif
