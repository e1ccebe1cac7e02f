/* run/sign.h: updates twindex_signature from the source: new and changed documents are signed on
 * all cores, signatures of deleted ones are removed. [R1] The resulting table does not depend on
 * the feed, the number of threads, the batch sizes or previous runs. [R2] Work is committed
 * incrementally: after a killed run the next one continues where it stopped. */
#ifndef TWX_RUN_SIGN_H
#define TWX_RUN_SIGN_H

#include "base/vec.h"
#include "run/sign_plan.h"
#include "run/sign_summary.h"

typedef TWX_VEC(int64_t) twx_docs;

/* ret_changed: the documents whose signature was written or deleted are appended; NULL: not
 * wanted. */
TWX_CHECK twx_rc twx_sign(const twx_job *job, twx_opened *o, const twx_sign_plan *plan,
                          twx_docs *ret_changed, twx_sign_counts *ret_counts);

#endif
