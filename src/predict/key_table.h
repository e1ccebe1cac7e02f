/* predict/key_table.h: 64-bit hashes -> 64-bit values, open addressing, for millions of lookups a
 * second. As base/map64.h, but the keys are hashes already (no seed), the size is bounded and what
 * is in it can be listed.
 * [R1] The order of adding never shows: the list comes sorted.
 * Memory: embedded struct, zeroed to begin with, owned; 16 bytes a slot, at most 3/4 full. One
 * writer or many readers. */
#ifndef TWX_PREDICT_KEY_TABLE_H
#define TWX_PREDICT_KEY_TABLE_H

#include <stddef.h>

#include "base/ctx.h"

typedef struct twx_key_slot {
    uint64_t key, value; /* key 0: free; a key that is 0 is taken for 1 */
} twx_key_slot;

typedef struct twx_key_table {
    twx_key_slot *slots;
    size_t mask, n;
    size_t bytes_most; /* 0: no limit */
} twx_key_table;

void twx_key_table_done(twx_key_table *t);
/* The value's place, made with `value` (and *ret_fresh set) when the key is new. NULL without an
 * error: the key is new and the limit is reached. Borrowed until the next call. */
TWX_CHECK twx_rc twx_key_table_place(twx_ctx *cx, twx_key_table *t, uint64_t key, uint64_t value,
                                     uint64_t **ret_at, bool *ret_fresh);
/* NULL: not there. */
const uint64_t *twx_key_table_get(const twx_key_table *t, uint64_t key);
/* All slots in order of the key as a signed number, as a database keeps them; owned by the caller,
 * twx_free(). NULL when there are none. */
TWX_CHECK twx_rc twx_key_table_list(twx_ctx *cx, const twx_key_table *t, twx_key_slot **ret_slots);

#endif
