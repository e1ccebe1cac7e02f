/* search/index.h: makes and updates the text index. */
#ifndef TWX_SEARCH_INDEX_H
#define TWX_SEARCH_INDEX_H

#include "run/job.h"
#include "run/out.h"

/* What was done to the text index, for index. */
typedef struct twx_index_summary {
    const char *store;
    bool drop, had; /* the index was to be dropped; there was one. The rest is 0 then. */
    uint64_t documents, indexed, forgotten, text_bytes;
    double seconds;
} twx_index_summary;

TWX_CHECK twx_rc twx_index_summary_write(const twx_out *out, const twx_index_summary *s);

/* Creates the text index and brings it up to date with the source: new and changed
 * documents are indexed, deleted ones are removed. [R1] Work is committed in steps: an interrupted
 * call is continued by the next one. */

/* drop: removes the index instead. */
TWX_CHECK twx_rc twx_text_index_update(const twx_job *job, bool drop,
                                       twx_index_summary *ret_summary);

#endif
