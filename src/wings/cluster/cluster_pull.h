/* cluster/cluster_pull.h: the step pull: writes the flags of the last judgement to the inactive
 * generation of a store, keeps them there as prepared, and votes in the ledger
 * (store/vote_ledger.h). Nothing is published.
 * [R1] The flags are those of one run over all stores (run/run.h).
 * [R2] If a document that represents others, or that links lead to, has changed since it was
 * pushed, the vote is 'again': documents must not be hidden in favour of one that changed. Other
 * documents that have changed have no flags until the next run.
 * [R3] A pull that is repeated does what is left. It never undoes a vote on a committed run. */
#ifndef TWX_CLUSTER_CLUSTER_PULL_H
#define TWX_CLUSTER_CLUSTER_PULL_H

#include "cluster/cluster_summary.h"
#include "cluster/nodes.h"

/* Errors TWX_E_CONFIG: no ledger, or other settings than those of the push; TWX_E_DATA: the last
 * judgement has not this store; TWX_E_BUSY: the vote is 'again' */
TWX_CHECK twx_rc twx_cluster_pull(const twx_job *job, twx_nodes *nodes,
                                  twx_pull_summary *ret_summary);

#endif
