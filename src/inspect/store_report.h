/* inspect/store_report.h: totals of a store or of several together, figures by detector and by
 * host, and the last runs.
 * Memory: embedded struct; twx_store_report_init(), _done(). Bytes are in the arena. */
#ifndef TWX_INSPECT_STORE_REPORT_H
#define TWX_INSPECT_STORE_REPORT_H

#include "base/arena.h"
#include "base/vec.h"
#include "judge/eligible.h"
#include "judge/relations.h"
#include "run/out.h"

typedef struct twx_host_figures {
    twx_slice name;
    /* copies: by relation: documents that another one represents */
    uint64_t documents, indexable, hidden, copies[TWX_RELATIONS];
} twx_host_figures;

typedef struct twx_relation_figures {
    twx_slice name;
    int64_t groups, copies, largest;
} twx_relation_figures;

/* A row of the log of runs. */
typedef struct twx_run_row {
    int64_t run, started_at, ended_at;
    bool ended;
    int64_t documents, indexable, hidden;                   /* -1: not known */
    twx_slice state, generation, version, summary, message; /* summary: JSON; absent: none */
    twx_slice store; /* of several; absent: the run was over all, or there is no other store */
} twx_run_row;

typedef struct twx_store_report {
    twx_arena arena;
    const char *store;         /* what it is about: "a.db", "a.db and 2 more stores" */
    const char *const *stores; /* n_stores of them, borrowed */
    size_t n_stores;
    twx_host_figures all;
    uint64_t eligibility[TWX_ELIGIBILITIES], links[TWX_LINK_STATES];
    TWX_VEC(twx_relation_figures) relations;
    TWX_VEC(twx_host_figures) hosts; /* most documents first */
    size_t runs_most;                /* how many runs are listed */
    TWX_VEC(twx_run_row) runs;       /* the last one first */
} twx_store_report;

void twx_store_report_init(twx_store_report *r);
void twx_store_report_done(twx_store_report *r);
TWX_CHECK twx_rc twx_store_report_write(const twx_out *out, const twx_store_report *r);

#endif
