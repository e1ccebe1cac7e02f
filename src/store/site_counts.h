/* store/site_counts.h: twindex_site: how many documents of each site took part in the result of a
 * generation.
 * Errors TWX_E_CORRUPT: a stored count is not a number of documents. */
#ifndef TWX_STORE_SITE_COUNTS_H
#define TWX_STORE_SITE_COUNTS_H

#include "store/db.h"

typedef struct twx_site_count {
    twx_slice site;
    uint64_t documents;
} twx_site_count;

/* Calls fn for each count of the generation, in order of site; the slice is borrowed. */
typedef twx_rc twx_site_count_fn(void *arg, const twx_site_count *count);
TWX_CHECK twx_rc twx_site_counts_each(twx_db *db, char generation, twx_site_count_fn *fn,
                                      void *arg);
/* Both run inside the caller's transaction. */
TWX_CHECK twx_rc twx_site_counts_clear(twx_db *db, char generation);
TWX_CHECK twx_rc twx_site_counts_put(twx_db *db, char generation, const twx_site_count *counts,
                                     size_t n);

#endif
