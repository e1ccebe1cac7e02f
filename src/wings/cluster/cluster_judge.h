/* cluster/cluster_judge.h: the step judge: the servers judge what the stores have pushed.
 * [R1] The result is that of one run over one store with all documents, in the order of their ids,
 * and of shards where ids are equal.
 * [R2] Nothing is judged unless the servers have what the last push of each store left, with the
 * same settings.
 * [R3] The result of a run is complete once the run is in the table `run`; the one before stays
 * until then. A run that was interrupted leaves tables that the next one drops.
 * [R4] A result that is committed (store/vote_ledger.h) is not dropped until all stores have
 * published it. */
#ifndef TWX_CLUSTER_CLUSTER_JUDGE_H
#define TWX_CLUSTER_CLUSTER_JUDGE_H

#include "cluster/cluster_summary.h"
#include "cluster/nodes.h"

/* force: accepts a result that a guard would stop. discard: judges even if stores have not
 * published the last result [R4], which they then cannot pull again. Errors TWX_E_GUARD: a guard
 * has stopped it; the result is there, but it is none of the last run. TWX_E_BUSY: stores have not
 * published */
TWX_CHECK twx_rc twx_cluster_judge(const twx_job *job, twx_nodes *nodes, bool force, bool discard,
                                   twx_judge_summary *ret_summary);

#endif
