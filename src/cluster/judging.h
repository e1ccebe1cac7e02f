/* cluster/judging.h: what the steps of a run over the cluster share. */
#ifndef TWX_CLUSTER_JUDGING_H
#define TWX_CLUSTER_JUDGING_H

#include "cluster/nodes.h"
#include "cluster/work_tables.h"

enum { TWX_SUMS_MAX = 4 };

/* Memory: everything is borrowed. */
typedef struct twx_judging {
    const twx_job *job;
    twx_nodes *nodes;
    uint64_t run;
    uint32_t relations, collapse_min; /* as of the manifests */
    uint64_t statements;              /* so far, for progress */
} twx_judging;

/* Runs a statement of the run on all nodes. */
TWX_CHECK twx_rc twx_judging_step(twx_judging *j, const twx_statement *statement);
/* The same for one whose answer is n numbers; ret_sums gets their sums over the nodes. */
TWX_CHECK twx_rc twx_judging_sums(twx_judging *j, const twx_statement *statement,
                                  uint64_t *ret_sums, size_t n);

/* The statement sql/cluster/judge/file.sql. */
#define TWX_JUDGING_STATEMENT(file, NAME) \
    ((twx_statement){.name = (file), .sql = TWX_SQL_CLUSTER_JUDGE_##NAME})

/* Finds the outcome of each link (judge/eligible.h). *ret_rounds: doublings of paths. */
TWX_CHECK twx_rc twx_judging_links(twx_judging *j, uint64_t *ret_rounds);
/* Makes the groups of the relations, and joins those of the verdict to clusters. *ret_rounds: of
 * alternating stars. */
TWX_CHECK twx_rc twx_judging_groups(twx_judging *j, uint64_t *ret_rounds);

#endif
