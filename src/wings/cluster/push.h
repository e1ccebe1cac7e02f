/* cluster/push.h: sends what judging needs of each document of a store to the servers.
 * [R1] Only documents that the servers have not, or have differently, are sent; documents that are
 * gone are marked. So a push that is repeated, also after an interruption, sends the rest.
 * [R2] The manifest is written last: until then the servers have not what any manifest says, and
 * nothing is judged.
 * [R3] What the cluster cannot judge exactly is refused before anything is sent.
 * [R4] A shard is pushed from one store only, because a push marks what its store lacks as gone.
 * The manifest has the key of that store (store/store_key.h). */
#ifndef TWX_CLUSTER_PUSH_H
#define TWX_CLUSTER_PUSH_H

#include "cluster/cluster_summary.h"
#include "cluster/nodes.h"

/* Signs the store first (run/sign_store.h). replace: accept another store than the one the shard
 * was pushed from before [R4]. Errors TWX_E_CONFIG: a setting that the cluster cannot judge by, or
 * a shard of another store; TWX_E_DATA: documents that it cannot judge */
TWX_CHECK twx_rc twx_cluster_push(const twx_job *job, twx_nodes *nodes, bool replace,
                                  twx_push_summary *ret_summary);

#endif
