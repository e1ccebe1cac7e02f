/* base/map64.h: a map from 64-bit keys to 64-bit values with open addressing, seeded so that
 * crafted keys cannot collide on purpose. It has no iteration, so the order of insertion never
 * affects a result.
 * Memory: embedded struct, owned table; 16 bytes a slot, at most 3/4 full. */
#ifndef TWX_BASE_MAP64_H
#define TWX_BASE_MAP64_H

#include <stddef.h>

#include "base/ctx.h"

typedef struct twx_map64 {
    struct twx_map64_slot *slots;
    size_t mask; /* slots - 1; 0 before the first put */
    size_t n;    /* keys, also key 0: callers number new keys with it */
    uint64_t seed;
    bool has_zero; /* key 0 marks a free slot, so its value is kept outside the table */
    uint64_t zero_value;
} twx_map64;

void twx_map64_init(twx_map64 *m, uint64_t seed);
void twx_map64_done(twx_map64 *m);
/* Inserts value unless the key is present; *ret_value is the value that the map holds
 * afterwards. */
TWX_CHECK twx_rc twx_map64_add(twx_ctx *cx, twx_map64 *m, uint64_t key, uint64_t value,
                               uint64_t *ret_value);
/* Inserts or replaces. */
TWX_CHECK twx_rc twx_map64_put(twx_ctx *cx, twx_map64 *m, uint64_t key, uint64_t value);
/* false: absent, *ret_value is untouched */
bool twx_map64_get(const twx_map64 *m, uint64_t key, uint64_t *ret_value);

#endif
