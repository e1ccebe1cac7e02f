/* cluster/cluster_publish.h: the steps publish and digest, which need the ledger
 * (store/vote_ledger.h) and no server.
 * [R1] A run is committed when all its stores have voted 'prepared'; what is published to a store
 * is what it has prepared, and only if that run is committed.
 * [R2] A publish that is repeated does what is left. */
#ifndef TWX_CLUSTER_CLUSTER_PUBLISH_H
#define TWX_CLUSTER_CLUSTER_PUBLISH_H

#include "base/hash64.h"
#include "cluster/cluster_summary.h"
#include "run/job.h"

/* Commits the newest run, then publishes to the stores of the job, if it names some. ret_summary:
 * initialised by the caller; after an error it has the stores before that one. Errors TWX_E_BUSY: a
 * vote is missing; TWX_E_DATA: a store has not prepared the run */
TWX_CHECK twx_rc twx_cluster_publish(const twx_job *job, twx_publish_summary *ret_summary);
/* The sum of the digests of the newest run that all stores have prepared: that of one store with
 * all documents. Errors TWX_E_DATA: there is no such run */
TWX_CHECK twx_rc twx_cluster_digest(const twx_job *job, twx_hash128 *ret_digest);
/* Fails if the ledger has committed `run` and a store has not published it: the next judgement
 * would drop its result. Without a ledger nothing is checked. Errors TWX_E_BUSY: the message names
 * up to ten such stores */
TWX_CHECK twx_rc twx_cluster_check_published(const twx_job *job, uint64_t run);
/* Adds to each shard what it has voted on the run of the status, if there is a ledger. */
TWX_CHECK twx_rc twx_cluster_add_votes(const twx_job *job, twx_cluster_status *status);

#endif
