/* search/index_summary.h: what was done to the text index, for index. */
#ifndef TWX_SEARCH_INDEX_SUMMARY_H
#define TWX_SEARCH_INDEX_SUMMARY_H

#include "run/out.h"

typedef struct twx_index_summary {
    const char *store;
    bool drop, had; /* the index was to be dropped; there was one. The rest is 0 then. */
    uint64_t documents, indexed, forgotten, text_bytes;
    double seconds;
} twx_index_summary;

TWX_CHECK twx_rc twx_index_summary_write(const twx_out *out, const twx_index_summary *s);

#endif
