/* run/publish_members.h: publishes a judgement to all stores of a run: prepares all, withdraws
 * representatives that changed meanwhile, and commits one store after the other.
 * [R1] If a store cannot be prepared, nothing is published anywhere.
 * [R2] After a run that was killed between two commits, some stores have its result and the others
 * that of the run before; the number of the run over all stores tells (store/remotes.h), and the
 * next run publishes to all. */
#ifndef TWX_RUN_PUBLISH_MEMBERS_H
#define TWX_RUN_PUBLISH_MEMBERS_H

#include "run/foreign.h"

typedef struct twx_publish_plan {
    const twx_judge_options *options;
    uint32_t min_documents; /* of a site, to be counted for the guard against losses */
    uint64_t fingerprint;   /* for twx_state_judged() */
    const char *settings;   /* JSON for the ledgers */
    const char *summary;    /* JSON for the ledgers */
    twx_run_figures figures;
} twx_publish_plan;

TWX_CHECK twx_rc twx_publish_members(twx_members *members, twx_judgement *j,
                                     const twx_publish_plan *plan);

#endif
