/* run/summary_stores.h: the part of a run's summary about each of several stores. Private to
 * report/. */
#ifndef TWX_RUN_SUMMARY_STORES_H
#define TWX_RUN_SUMMARY_STORES_H

#include "run/summary.h"

void twx_summary_stores_done(twx_summary *s);
/* New reference; NULL: out of memory. */
json_t *twx_summary_stores_json(const twx_summary *s);
/* Nothing in a run of one store. */
TWX_CHECK twx_rc twx_summary_stores_write(const twx_out *out, const twx_summary *s);

#endif
