/* inspect/mirror_list.h: the hosts that mirror another host.
 * Memory: embedded struct; twx_mirror_list_init(), _done(). */
#ifndef TWX_INSPECT_MIRROR_LIST_H
#define TWX_INSPECT_MIRROR_LIST_H

#include "base/arena.h"
#include "judge/mirrors.h"
#include "run/out.h"

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

#endif
