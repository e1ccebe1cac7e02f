/* store/host_mirrors.h: twindex_host_mirror, the hosts that mirror another, kept for ranking rules.
 * [R1] The rows are replaced in one transaction, and only if they differ from the stored ones. */
#ifndef TWX_STORE_HOST_MIRRORS_H
#define TWX_STORE_HOST_MIRRORS_H

#include "store/db.h"

/* Memory: everything is borrowed for the call. */
typedef struct twx_host_mirror {
    twx_slice host, mirror_of;
    const char *level; /* "exact" or "near" */
    uint64_t shared, documents;
    uint32_t ratio_ppm;
} twx_host_mirror;

/* Shape  rows[0..n) in order of host, by bytes; each host once.
 * db is a writer with twindex's tables. *ret_written: whether the rows differed. */
TWX_CHECK twx_rc twx_host_mirrors_keep(twx_db *db, const twx_host_mirror *rows, size_t n,
                                       bool *ret_written);

typedef twx_rc twx_host_fn(void *arg, twx_slice host);
/* Calls fn for each host that mirrors another; for none if the file has no such table. */
TWX_CHECK twx_rc twx_host_mirrors_each(twx_db *db, twx_host_fn *fn, void *arg);

#endif
