/* search/index.h: makes the text index, and brings it up to date with the source: what is new or
 * changed is indexed, what is gone is forgotten. [R1] Work is committed as it goes: a killed call
 * goes on where it was. */
#ifndef TWX_SEARCH_INDEX_H
#define TWX_SEARCH_INDEX_H

#include "job/job.h"
#include "report/out.h"

/* drop: takes the index away instead. */
TWX_CHECK twx_rc twx_text_index_update(const twx_job *job, bool drop, const twx_out *out);

#endif
