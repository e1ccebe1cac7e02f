/* inspect/find_mirrors.h: hosts that mirror another, by the published flags; the result is kept in
 * twindex_host_mirror for ranking rules.
 * [R1] A second call writes nothing. [R2] When the store cannot be written, or a run has it locked,
 * that is said in a warning, and the mirrors are found and printed all the same. */
#ifndef TWX_INSPECT_FIND_MIRRORS_H
#define TWX_INSPECT_FIND_MIRRORS_H

#include "job/job.h"
#include "report/out.h"

TWX_CHECK twx_rc twx_find_mirrors(const twx_job *job, const twx_out *out);

#endif
