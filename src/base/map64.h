/* base/map64.h: 64-bit key -> 64-bit value, open addressing, seeded so that crafted keys do not
 * pile up. Result and order of use never show: there is no iteration.
 * Memory: embedded struct, owned table; 16 bytes a slot, at most 3/4 full. */
#ifndef TWX_BASE_MAP64_H
#define TWX_BASE_MAP64_H

#include <stddef.h>

#include "base/ctx.h"

typedef struct twx_map64 {
    struct twx_map64_slot *slots;
    size_t mask; /* slots - 1; 0 before the first put */
    size_t n;
    uint64_t seed;
    bool has_zero; /* key 0 marks a free slot, so its value lives beside the table */
    uint64_t zero_value;
} twx_map64;

void twx_map64_init(twx_map64 *m, uint64_t seed);
void twx_map64_done(twx_map64 *m);
/* Puts value unless the key is there; *ret_value is what the map holds afterwards. */
TWX_CHECK twx_rc twx_map64_add(twx_ctx *cx, twx_map64 *m, uint64_t key, uint64_t value,
                               uint64_t *ret_value);
/* Puts or replaces. */
TWX_CHECK twx_rc twx_map64_put(twx_ctx *cx, twx_map64 *m, uint64_t key, uint64_t value);
/* false: absent, ret untouched */
bool twx_map64_get(const twx_map64 *m, uint64_t key, uint64_t *ret_value);

#endif
