/* cluster/work_tables.h: the tables of one run over the cluster. Their names have the number of the
 * run, so that no row of another run can be read; each has a part on every node and a name for all
 * parts, by which rows reach the node of their key. */
#ifndef TWX_CLUSTER_WORK_TABLES_H
#define TWX_CLUSTER_WORK_TABLES_H

#include "cluster/nodes.h"

typedef enum twx_work_table {
    TWX_WORK_PUSHED,
    TWX_WORK_ASKED,
    TWX_WORK_SAID,
    TWX_WORK_DOCUMENT,
    TWX_WORK_CLAIM,
    TWX_WORK_LINK,
    TWX_WORK_EDGE,
    TWX_WORK_HOST,
    TWX_WORK_SUSPECT,
    TWX_WORK_MIXED,
    TWX_WORK_COLLAPSED,
    TWX_WORK_PATH_A,
    TWX_WORK_PATH_B,
    TWX_WORK_ASK,
    TWX_WORK_LOOP,
    TWX_WORK_STATE,
    TWX_WORK_KEY,
    TWX_WORK_MEMBER,
    TWX_WORK_TIE_A,
    TWX_WORK_TIE_B,
    TWX_WORK_BOTH,
    TWX_WORK_STAR,
    TWX_WORK_CLUSTER,
    TWX_WORK_FOLLOW,
    TWX_WORK_FOLLOWED,
    /* of near-duplicates: see sql/cluster/work */
    TWX_WORK_NEAR_DOC,
    TWX_WORK_NEAR_PART,
    TWX_WORK_NEAR_TEXT,
    TWX_WORK_NEAR_BAND,
    TWX_WORK_NEAR_RUN,
    TWX_WORK_NEAR_PLACE,
    TWX_WORK_NEAR_OPEN,
    TWX_WORK_NEAR_FIRST,
    TWX_WORK_NEAR_ASK,
    TWX_WORK_NEAR_BLOCKED,
    TWX_WORK_NEAR_FETCH,
    TWX_WORK_NEAR_HALF,
    TWX_WORK_NEAR_PAIR,
    TWX_WORK_NEAR_SAID,
    TWX_WORK_NEAR_DECIDED,
    TWX_WORK_NEAR_TOLD,
    TWX_WORK_NEAR_BEST,
    TWX_WORK_NEAR_LEADER,
    TWX_WORK_NEAR_SIMILAR,
    TWX_WORK_NEAR_SIBLING,
    TWX_WORK_NEAR_COUNTED,
    TWX_WORK_NEAR_FLAG,
    TWX_WORK_NEAR_NAME,
    TWX_WORK_LISTED,
    TWX_WORK_COPIED,
    TWX_WORK_WANTED, /* of a run with open pairs it stays until the next one has ended */
    TWX_WORK_SHOWN,
    TWX_WORK_ELSEWHERE,
    TWX_WORK_REFERENCE,
    TWX_WORK_RESULT, /* this one and the following ones stay until the next run has ended */
    TWX_WORK_REMOTE,
    TWX_WORK_SITE,
    TWX_WORK_TABLES
} twx_work_table;

/* Makes the table of the run on all nodes. */
TWX_CHECK twx_rc twx_work_make(twx_nodes *nodes, uint64_t run, twx_work_table table);
/* Makes it again, without rows. */
TWX_CHECK twx_rc twx_work_empty(twx_nodes *nodes, uint64_t run, twx_work_table table);
/* Drops it; a table that is missing is no error. */
TWX_CHECK twx_rc twx_work_drop(twx_nodes *nodes, uint64_t run, twx_work_table table);
/* Drops the tables of all runs but `kept` and `also`; 0: none is kept. */
TWX_CHECK twx_rc twx_work_sweep(twx_nodes *nodes, uint64_t kept, uint64_t also);
/* The run that a name of a table belongs to; 0: it is no table of a run. */
uint64_t twx_work_run_of(twx_slice name);

#endif
