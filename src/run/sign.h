/* run/sign.h: brings twindex_signature up to date with the source: what is new or changed is signed
 * on all cores, what is gone is dropped. [R1] Afterwards the table is the same whatever the feed,
 * the number of threads, the sizes of batches and the runs before. [R2] Work is committed as it
 * goes: a killed run goes on where it was. */
#ifndef TWX_RUN_SIGN_H
#define TWX_RUN_SIGN_H

#include "corpus/collection.h"
#include "job/open_store.h"
#include "judge/relations.h"

/* What signing needs to know of the settings. Memory: embedded struct; rules owned. */
typedef struct twx_sign_plan {
    twx_params params;
    struct twx_url_rules *rules;
    twx_collection collection; /* when the near detector is a global one; params point at it */
    const twx_detector *detectors[TWX_RELATIONS]; /* in order of slot; NULL: the slot is not used */
    const twx_detector *name; /* what documents are called, for the relation copy; NULL: not used */
    const twx_detector *signing[TWX_RELATIONS + 1]; /* all of these in order of id */
    size_t n_signing;
    twx_feed feed;
    bool full; /* sign every document anew */
    uint64_t
        /* of all of the above and the mapping: what was signed under another one is stale */
        fingerprint;
} twx_sign_plan;

typedef struct twx_sign_counts {
    uint64_t read, signed_now, written, deleted;
    uint64_t bad_urls, bad_ids, bad_utf8, odd_values, too_long;
    uint64_t bytes; /* of text */
    bool changed;   /* a signature was written or dropped */
} twx_sign_counts;

/* With a global near detector this reads the whole store: other statistics make other keys. */
TWX_CHECK twx_rc twx_sign_plan_make(const twx_job *job, twx_opened *o, bool full,
                                    twx_sign_plan *ret_plan);
void twx_sign_plan_done(twx_sign_plan *plan);
TWX_CHECK twx_rc twx_sign(const twx_job *job, twx_opened *o, const twx_sign_plan *plan,
                          twx_sign_counts *ret_counts);

#endif
