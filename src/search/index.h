/* search/index.h: creates the text index and brings it up to date with the source: new and changed
 * documents are indexed, deleted ones are removed. [R1] Work is committed in steps: an interrupted
 * call is continued by the next one. */
#ifndef TWX_SEARCH_INDEX_H
#define TWX_SEARCH_INDEX_H

#include "run/job.h"
#include "search/index_summary.h"

/* drop: removes the index instead. */
TWX_CHECK twx_rc twx_text_index_update(const twx_job *job, bool drop,
                                       twx_index_summary *ret_summary);

#endif
