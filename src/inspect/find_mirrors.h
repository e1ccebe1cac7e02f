/* inspect/find_mirrors.h: finds hosts that mirror each other, and lists them. */
#ifndef TWX_INSPECT_FIND_MIRRORS_H
#define TWX_INSPECT_FIND_MIRRORS_H

#include "base/arena.h"
#include "judge/mirrors.h"
#include "run/job.h"
#include "run/out.h"

/* The hosts that mirror another host.
 * Memory: embedded struct; twx_mirror_list_init(), _done(). */
typedef struct twx_mirror_list {
    const char *store;
    uint32_t ratio_ppm, min_documents; /* as configured */
    twx_arena names;
    twx_mirror_hosts hosts; /* in names */
    twx_mirrors found;
    bool kept; /* they are in twindex_host_mirror */
} twx_mirror_list;

void twx_mirror_list_init(twx_mirror_list *list);
void twx_mirror_list_done(twx_mirror_list *list);
TWX_CHECK twx_rc twx_mirror_list_write(const twx_out *out, const twx_mirror_list *list);

/* Finds hosts that mirror another host according to the published flags.
 * The result is stored in twindex_host_mirror for ranking rules.
 * [R1] A second call writes nothing.
 * [R2] If the store cannot be written or is locked by a run, a warning is issued; the mirrors are
 * found and printed nevertheless. */

/* Finds them and writes nothing. */
TWX_CHECK twx_rc twx_see_mirrors(const twx_job *job, twx_mirror_list *ret_list);
TWX_CHECK twx_rc twx_find_mirrors(const twx_job *job, twx_mirror_list *ret_list);

#endif
