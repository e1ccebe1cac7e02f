/* inspect/report_sections.h: the sections of the report page, each without its heading. */
#ifndef TWX_INSPECT_REPORT_SECTIONS_H
#define TWX_INSPECT_REPORT_SECTIONS_H

#include "inspect/markup_parts.h"
#include "inspect/report_page.h"

/* figure_sections.c */
void twx_section_flow(twx_markup *h, const twx_report_page *p);
void twx_section_relations(twx_markup *h, const twx_report_page *p);
void twx_section_sizes(twx_markup *h, const twx_report_page *p);
void twx_section_runs(twx_markup *h, const twx_report_page *p);
/* host_sections.c */
void twx_section_hosts(twx_markup *h, const twx_report_page *p);
void twx_section_mirrors(twx_markup *h, const twx_report_page *p);
/* document_sections.c */
void twx_section_groups(twx_markup *h, const twx_report_page *p);
void twx_section_suspects(twx_markup *h, const twx_report_page *p);
void twx_section_changes(twx_markup *h, const twx_report_page *p);

#endif
