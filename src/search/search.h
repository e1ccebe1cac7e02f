/* search/search.h: ranks documents for a query, with and without rules, to help users tune the
 * rules. */
#ifndef TWX_SEARCH_SEARCH_H
#define TWX_SEARCH_SEARCH_H

#include "run/job.h"
#include "run/out.h"

/* Errors TWX_E_CONFIG for a file of rules and TWX_E_DATA for a query, both with the place of the
 * error; TWX_E_DATA also if there is no text index. */
TWX_CHECK twx_rc twx_search_documents(const twx_job *job, const twindex_search_options *options,
                                      const twx_out *out);

#endif
