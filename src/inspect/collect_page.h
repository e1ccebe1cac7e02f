/* inspect/collect_page.h: collects what the report page shows (inspect/report_page.h). Nothing is
 * written to the store.
 * [R1] Texts are read of the documents that are shown, and of no others. */
#ifndef TWX_INSPECT_COLLECT_PAGE_H
#define TWX_INSPECT_COLLECT_PAGE_H

#include "inspect/page_documents.h"

/* Everything but what was learned of parameters. */
TWX_CHECK twx_rc twx_report_page_collect(const twx_job *job, twx_report_page *ret_page);

/* page_groups.c */
TWX_CHECK twx_rc twx_page_groups_read(const twx_listed_reading *r, twx_report_page *p);
/* page_suspects.c: texts that stand at many paths, and titles of many shown documents. */
TWX_CHECK twx_rc twx_page_suspects_read(const twx_listed_reading *r, twx_report_page *p);

#endif
