/* inspect/find_mirrors.h: finds hosts that mirror another host according to the published flags.
 * The result is stored in twindex_host_mirror for ranking rules.
 * [R1] A second call writes nothing.
 * [R2] If the store cannot be written or is locked by a run, a warning is issued; the mirrors are
 * found and printed nevertheless. */
#ifndef TWX_INSPECT_FIND_MIRRORS_H
#define TWX_INSPECT_FIND_MIRRORS_H

#include "inspect/mirror_list.h"
#include "run/job.h"

/* Finds them and writes nothing. */
TWX_CHECK twx_rc twx_see_mirrors(const twx_job *job, twx_mirror_list *ret_list);
TWX_CHECK twx_rc twx_find_mirrors(const twx_job *job, twx_mirror_list *ret_list);

#endif
