/* inspect/digest.h: the digest of the published flags (store/flags_digest.h); of several stores,
 * the sum of their digests: that of one store with all documents, if their ids differ. */
#ifndef TWX_INSPECT_DIGEST_H
#define TWX_INSPECT_DIGEST_H

#include "base/hash64.h"
#include "run/job.h"

TWX_CHECK twx_rc twx_digest_flags(const twx_job *job, twx_hash128 *ret_digest);

#endif
