/* search/find.h: finds documents for the workbench: by id or URL, by a part of the URL, or by words
 * of the text index. */
#ifndef TWX_SEARCH_FIND_H
#define TWX_SEARCH_FIND_H

#include "run/job.h"
#include "search/found_list.h"

/* [R1] An id or a whole URL is found as explain finds it. [R2] What contains a slash, or a full
 * stop and no white space, is searched for in the URLs, which are read once; case does not count.
 * [R3] Anything else are words for the text index.
 * limit: documents listed; 0: all. Errors TWX_E_DATA: words, and no text index. */
TWX_CHECK twx_rc twx_find(const twx_job *job, const char *words, size_t limit,
                          twx_found_list *ret_list);

#endif
