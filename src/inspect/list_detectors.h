/* inspect/list_detectors.h: prints the table of detectors as text or JSON. */
#ifndef TWX_INSPECT_LIST_DETECTORS_H
#define TWX_INSPECT_LIST_DETECTORS_H

#include "job/job.h"
#include "report/out.h"

TWX_CHECK twx_rc twx_list_detectors(const twx_job *job, const twx_out *out);

#endif
