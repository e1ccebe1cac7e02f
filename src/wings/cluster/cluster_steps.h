/* cluster/cluster_steps.h: the steps of 'twindex cluster', each with the servers of the settings or
 * with the ledger. */
#ifndef TWX_CLUSTER_CLUSTER_STEPS_H
#define TWX_CLUSTER_CLUSTER_STEPS_H

#include "run/job.h"
#include "run/out.h"

/* job->store: of TWINDEX_CLUSTER_PUSH and _PULL; TWINDEX_CLUSTER_PUBLISH takes any number of
 * stores, also none; other steps use none. */
TWX_CHECK twx_rc twx_cluster_step(const twx_job *job, twindex_cluster_action action,
                                  const twindex_cluster_options *options, const twx_out *out);

#endif
