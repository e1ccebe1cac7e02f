#include "inspect/digest.h"

#include "job/open_store.h"
#include "store/flags_digest.h"

twx_rc twx_digest_flags(const twx_job *job, twx_hash128 *ret_digest) {
    twx_opened o = {0};
    twx_rc rc = twx_open_store(job, TWX_NEED_RESULTS, &o);
    if (rc == TWX_OK) rc = twx_flags_digest(o.writer, ret_digest);
    twx_opened_done(&o);
    return rc;
}
