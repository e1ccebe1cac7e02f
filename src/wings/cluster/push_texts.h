/* cluster/push_texts.h: sends the texts that the last judgement has asked of a store
 * (copy_texts.h), before the manifest of a push.
 * [R1] Only texts that still are as they were signed are sent. The others belong to documents that
 * have changed, and the next judgement asks anew.
 * [R2] What the servers have is not sent again, so a push that was interrupted sends the rest. */
#ifndef TWX_CLUSTER_PUSH_TEXTS_H
#define TWX_CLUSTER_PUSH_TEXTS_H

#include "cluster/cluster_summary.h"
#include "cluster/manifests.h"
#include "cluster/shard_store.h"

/* runs: as the servers have them. The summary gets the numbers of texts and bytes. */
TWX_CHECK twx_rc twx_push_texts(twx_shard_store *store, twx_nodes *nodes,
                                const twx_cluster_runs *runs, twx_push_summary *summary);

#endif
