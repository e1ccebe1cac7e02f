/* cluster/changed_since.h: the documents of a shard that have changed since a run judged them. */
#ifndef TWX_CLUSTER_CHANGED_SINCE_H
#define TWX_CLUSTER_CHANGED_SINCE_H

#include "cluster/manifests.h"
#include "cluster/pulled_rows.h"

typedef struct twx_changed_since {
    twx_doc_list docs; /* ascending: those that differ, or are gone */
    /* Some of them represent others, or their links lead there, or it is not known which they are:
     * `reason` says why the store has to be pushed and judged again. NULL: no */
    const char *reason;
} twx_changed_since;

/* judged: what the run has judged of the shard. Memory: docs owned, TWX_VEC_DONE(). */
TWX_CHECK twx_rc twx_changed_since_find(twx_shard_store *store, twx_nodes *nodes, uint64_t run,
                                        const twx_manifest *judged, twx_changed_since *ret_changed);

#endif
