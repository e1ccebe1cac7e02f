#include "inspect/digest.h"

#include "run/open_store.h"
#include "store/flags_digest.h"

static twx_rc digest_of(const twx_job *job, twx_hash128 *ret_digest) {
    twx_opened o = {0};
    twx_rc rc = twx_open_store(job, TWX_NEED_RESULTS, &o);
    if (rc == TWX_OK) rc = twx_flags_digest(o.writer, ret_digest);
    twx_opened_done(&o);
    return rc;
}

twx_rc twx_digest_flags(const twx_job *job, twx_hash128 *ret_digest) {
    twx_hash128 sum = {0, 0};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < (job->n_stores ? job->n_stores : 1); i++) {
        twx_job one = *job;
        twx_hash128 digest = {0, 0};
        if (job->n_stores) one.store = job->stores[i];
        rc = digest_of(&one, &digest);
        sum.hi += digest.hi + __builtin_add_overflow(sum.lo, digest.lo, &sum.lo);
    }
    if (rc == TWX_OK) *ret_digest = sum;
    return rc;
}
