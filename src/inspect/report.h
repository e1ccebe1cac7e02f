/* inspect/report.h: the report: totals of the store, figures per detector and per host, and the
 * history of runs. It reads no texts. */
#ifndef TWX_INSPECT_REPORT_H
#define TWX_INSPECT_REPORT_H

#include "inspect/store_report.h"
#include "run/job.h"

TWX_CHECK twx_rc twx_report(const twx_job *job, twx_store_report *ret_report);

#endif
