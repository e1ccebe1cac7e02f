/* cluster/tables.h: the tables of Twindex on the servers: made, checked, dropped. */
#ifndef TWX_CLUSTER_TABLES_H
#define TWX_CLUSTER_TABLES_H

#include "cluster/nodes.h"

/* Checks that the nodes of cluster.urls are the parts of cluster.name, each once, and makes
 * database and tables where they are missing. Errors TWX_E_CONFIG, and as of twx_nodes_run() */
TWX_CHECK twx_rc twx_cluster_make_tables(const twx_job *job, twx_nodes *nodes);
/* Errors TWX_E_DATA: the tables are missing on a node */
TWX_CHECK twx_rc twx_cluster_check_tables(const twx_job *job, twx_nodes *nodes);
/* Drops the database on all nodes. Errors TWX_E_DATA: it has tables of others */
TWX_CHECK twx_rc twx_cluster_drop_tables(const twx_job *job, twx_nodes *nodes);

#endif
