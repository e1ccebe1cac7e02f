/* cluster/judging.h: what the steps of a run over the cluster share. */
#ifndef TWX_CLUSTER_JUDGING_H
#define TWX_CLUSTER_JUDGING_H

#include "cluster/nodes.h"
#include "cluster/work_tables.h"
#include "judge/guard.h"

enum { TWX_SUMS_MAX = 4 };

/* Memory: everything is borrowed. */
typedef struct twx_judging {
    const twx_job *job;
    twx_nodes *nodes;
    uint64_t run;
    uint32_t relations, collapse_min; /* as of the manifests */
    uint64_t near;                    /* twx_near_fingerprint(), as of the manifests; 0: none */
    uint64_t documents;               /* of all stores */
    uint64_t asked;      /* run that has asked for texts, which all stores have answered; 0: none */
    uint64_t statements; /* so far, for progress */
} twx_judging;

/* Runs a statement of the run on all nodes. */
TWX_CHECK twx_rc twx_judging_step(twx_judging *j, const twx_statement *statement);
/* The same for one whose answer is n numbers; ret_sums gets their sums over the nodes. */
TWX_CHECK twx_rc twx_judging_sums(twx_judging *j, const twx_statement *statement,
                                  uint64_t *ret_sums, size_t n);

/* The same for one whose answer is rows of any kind. */
TWX_CHECK twx_rc twx_judging_ask(twx_judging *j, const twx_statement *statement,
                                 twx_buf *ret_answers);
/* Sends rows to any node. */
TWX_CHECK twx_rc twx_judging_put(twx_judging *j, const twx_statement *statement, twx_slice rows);

/* The statement file in sql/cluster/judge.sql. */
#define TWX_JUDGING_STATEMENT(file, NAME) \
    ((twx_statement){.name = (file), .sql = TWX_SQL_CLUSTER_JUDGE_##NAME})

/* Finds the outcome of each link (judge/eligible.h). *ret_rounds: doublings of paths. */
TWX_CHECK twx_rc twx_judging_links(twx_judging *j, uint64_t *ret_rounds);
/* After the links: gives documents their places in the total order, which depend on the forms that
 * the URLs of others have (judge/forms.h), and on the texts of all domains (judge/origin.h). */
TWX_CHECK twx_rc twx_judging_places(twx_judging *j);
typedef struct twx_near_summary {
    uint64_t rounds[2]; /* of near-duplicates, of copies */
    uint64_t compared;  /* pairs of texts */
    /* Of copies that texts prove: pairs of texts read; pairs that are open, because a text is not
     * on the servers; texts that the stores are asked for */
    uint64_t read, open, wanted;
} twx_near_summary;
/* Are copies proved by texts, so that this program judges near-duplicates and copies? */
bool twx_judging_by_texts(const twx_judging *j);
/* Finds near-duplicates and copies, and adds their keys to those of the other relations. */
TWX_CHECK twx_rc twx_judging_near(twx_judging *j, twx_near_summary *ret_summary);
/* After the groups: what the flags show of them besides groups. */
TWX_CHECK twx_rc twx_judging_near_flags(twx_judging *j);
/* Asks the guards about the result, compared with run `before` (0: none), and keeps the counts of
 * its sites for the next run. */
TWX_CHECK twx_rc twx_judging_guard(twx_judging *j, uint64_t before, twx_guard_findings *ret_says);
/* Makes the groups of the relations, and joins those of the verdict to clusters. *ret_rounds: of
 * alternating stars. */
TWX_CHECK twx_rc twx_judging_groups(twx_judging *j, uint64_t *ret_rounds);

#endif
