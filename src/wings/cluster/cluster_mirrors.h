/* cluster/cluster_mirrors.h: the step mirrors: hosts that have most of their documents in common
 * (judge/mirrors.h), by the result of the last run over the cluster.
 * [R1] They are those of a run over one store with all documents.
 * Memory: 16 bytes a document that takes part, besides that of judge/mirrors.h. */
#ifndef TWX_CLUSTER_CLUSTER_MIRRORS_H
#define TWX_CLUSTER_CLUSTER_MIRRORS_H

#include "cluster/nodes.h"
#include "inspect/find_mirrors.h"

/* ret_list: zeroed by the caller, who releases it (twx_mirror_list_done). Errors TWX_E_DATA:
 * nothing has been judged */
TWX_CHECK twx_rc twx_cluster_mirrors(const twx_job *job, twx_nodes *nodes,
                                     twx_mirror_list *ret_list);

#endif
