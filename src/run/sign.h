/* run/sign.h: updates twindex_signature from the source: new and changed documents are signed on
 * all cores, signatures of deleted ones are removed. [R1] The resulting table does not depend on
 * the feed, the number of threads, the batch sizes or previous runs. [R2] Work is committed
 * incrementally: after a killed run the next one continues where it stopped. */
#ifndef TWX_RUN_SIGN_H
#define TWX_RUN_SIGN_H

#include "corpus/collection.h"
#include "job/open_store.h"
#include "judge/relations.h"

/* The settings of signing. Memory: embedded struct; rules owned. */
typedef struct twx_sign_plan {
    twx_params params;
    struct twx_url_rules *rules;
    twx_collection collection; /* filled if the near detector is global; params point to it */
    /* in order of slot; NULL: the relation is not used */
    const twx_detector *detectors[TWX_RELATIONS];
    /* signs the names of documents, for the relation copy; NULL: not used */
    const twx_detector *name;
    const twx_detector *signing[TWX_RELATIONS + 1]; /* all of the above in order of id */
    size_t n_signing;
    twx_feed feed;
    bool full; /* sign every document again */
    uint64_t
        /* of all of the above and the mapping; signatures with another fingerprint are stale */
        fingerprint;
} twx_sign_plan;

typedef struct twx_sign_counts {
    uint64_t read, signed_now, written, deleted;
    uint64_t bad_urls, bad_ids, bad_utf8, odd_values, too_long;
    uint64_t bytes; /* bytes of text */
    bool changed;   /* a signature was written or deleted */
} twx_sign_counts;

/* With a global near detector this reads the whole store, because the keys depend on its
 * statistics. */
TWX_CHECK twx_rc twx_sign_plan_make(const twx_job *job, twx_opened *o, bool full,
                                    twx_sign_plan *ret_plan);
void twx_sign_plan_done(twx_sign_plan *plan);
TWX_CHECK twx_rc twx_sign(const twx_job *job, twx_opened *o, const twx_sign_plan *plan,
                          twx_sign_counts *ret_counts);

#endif
