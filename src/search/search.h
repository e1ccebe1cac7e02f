/* search/search.h: ranked lists of documents for a query, with rules and without: for people who
 * tune the rules. */
#ifndef TWX_SEARCH_SEARCH_H
#define TWX_SEARCH_SEARCH_H

#include "job/job.h"
#include "report/out.h"

/* Errors TWX_E_CONFIG in a file of rules, TWX_E_DATA in a query, with the place of it; TWX_E_DATA
 * when there is no text index. */
TWX_CHECK twx_rc twx_search_documents(const twx_job *job, const twindex_search_options *options,
                                      const twx_out *out);

#endif
