/* run/sign.h: updates twindex_signature from the source: new and changed documents are signed on
 * all cores, signatures of deleted ones are removed. [R1] The resulting table does not depend on
 * the feed, the number of threads, the batch sizes or previous runs. [R2] Work is committed
 * incrementally: after a killed run the next one continues where it stopped. */
#ifndef TWX_RUN_SIGN_H
#define TWX_RUN_SIGN_H

#include "base/vec.h"
#include "run/sign_plan.h"

typedef struct twx_sign_counts {
    uint64_t read, signed_now, written, deleted;
    uint64_t bad_urls, bad_ids, bad_utf8, odd_values, too_long;
    uint64_t bytes; /* bytes of text */
    bool whole;     /* all rows were read, not those of a queue alone */
} twx_sign_counts;

/* Copies what summaries have of them; `to` points to any of these. */
#define TWX_SIGN_COUNTS_COPY(from, to)                                         \
    ((to)->read = (from)->read, (to)->signed_now = (from)->signed_now,         \
     (to)->deleted = (from)->deleted, (to)->text_bytes = (from)->bytes,        \
     (to)->bad_urls = (from)->bad_urls, (to)->bad_ids = (from)->bad_ids,       \
     (to)->bad_utf8 = (from)->bad_utf8, (to)->odd_values = (from)->odd_values, \
     (to)->too_long = (from)->too_long)

typedef TWX_VEC(int64_t) twx_docs;

/* ret_changed: the documents whose signature was written or deleted are appended; NULL: not
 * wanted. */
TWX_CHECK twx_rc twx_sign(const twx_job *job, twx_opened *o, const twx_sign_plan *plan,
                          twx_docs *ret_changed, twx_sign_counts *ret_counts);

#endif
