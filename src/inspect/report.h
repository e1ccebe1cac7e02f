/* inspect/report.h: the report: the store as a whole, per detector and per host, and the ledger of
 * runs. No text is read. */
#ifndef TWX_INSPECT_REPORT_H
#define TWX_INSPECT_REPORT_H

#include "job/job.h"
#include "report/out.h"

TWX_CHECK twx_rc twx_report(const twx_job *job, const twx_out *out);

#endif
