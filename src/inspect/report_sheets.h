/* inspect/report_sheets.h: tables of the report as CSV (inspect/csv_table.h): groups, hosts,
 * changes. */
#ifndef TWX_INSPECT_REPORT_SHEETS_H
#define TWX_INSPECT_REPORT_SHEETS_H

#include "run/job.h"
#include "run/out.h"

TWX_CHECK twx_rc twx_report_sheet(const twx_job *job, twindex_sheet sheet, const twx_out *out);

#endif
