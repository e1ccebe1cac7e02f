/* run/sign_plan.h: what signing computes for each document: the detectors of the run, their
 * parameters, and how changes are noticed. A record made under another plan is stale. */
#ifndef TWX_RUN_SIGN_PLAN_H
#define TWX_RUN_SIGN_PLAN_H

#include "judge/relations.h"
#include "run/open_store.h"
#include "sign/detector_row.h"

/* Memory: embedded struct; rules and collection owned. */
typedef struct twx_sign_plan {
    twx_params params;
    struct twx_url_rules *rules;
    twx_collection collection; /* filled if the near detector is global; params point to it */
    const twx_detector *detectors[TWX_RELATIONS]; /* NULL: the relation is not used */
    /* signs the names of documents, for the relation copy; NULL: not used */
    const twx_detector *name;
    const twx_detector *signing[TWX_RELATIONS + 1]; /* all of the above in order of id */
    size_t n_signing;
    twx_feed feed;
    bool queued;          /* the change queue should have every change (run/open_store.h) */
    bool full;            /* sign every document again */
    bool look;            /* with full: write nothing, only list what differs */
    uint64_t fingerprint; /* of all of the above and the mapping */
} twx_sign_plan;

/* With a global near detector this reads the whole store, because the keys depend on its
 * statistics. */
TWX_CHECK twx_rc twx_sign_plan_make(const twx_job *job, twx_opened *o, bool full,
                                    twx_sign_plan *ret_plan);
/* The detectors and their parameters alone, without a store and its statistics. ret_plan: zeroed by
 * the caller, who releases it also after an error. */
TWX_CHECK twx_rc twx_sign_plan_of_settings(const twx_job *job, twx_sign_plan *ret_plan);
void twx_sign_plan_done(twx_sign_plan *plan);

#endif
