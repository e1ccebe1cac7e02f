/* job/tell.h: the report: the store as a whole, per detector and per host, and the ledger of runs. No text is read. */
#ifndef TWX_JOB_TELL_H
#define TWX_JOB_TELL_H

#include "job/job.h"
#include "report/out.h"

TWX_CHECK twx_rc twx_tell(const twx_job *job, const twx_out *out);

#endif
