/* cluster/pushed.h: the documents of a shard that the servers have, with the hashes of their rows
 * (document_row.h). */
#ifndef TWX_CLUSTER_PUSHED_H
#define TWX_CLUSTER_PUSHED_H

#include "base/vec.h"
#include "cluster/nodes.h"

typedef struct twx_pushed {
    int64_t doc;
    uint64_t hash;
} twx_pushed;

/* Ascending by doc. Memory: embedded struct, zeroed by the caller; TWX_VEC_DONE(). */
typedef TWX_VEC(twx_pushed) twx_pushed_list;

TWX_CHECK twx_rc twx_pushed_read(twx_ctx *cx, twx_nodes *nodes, uint32_t shard,
                                 twx_pushed_list *ret_list);
/* Reads the answer of a node. Errors TWX_E_DATA: it is cut */
TWX_CHECK twx_rc twx_pushed_parse(twx_ctx *cx, twx_slice rows, twx_pushed_list *list);

#endif
