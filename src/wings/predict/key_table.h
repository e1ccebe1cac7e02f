/* predict/key_table.h: a table from 64-bit hashes to 64-bit values with open addressing, for
 * millions of lookups a second. Unlike base/map64.h, its keys are hashes already (no seed), its
 * size is bounded and its content can be listed.
 * [R1] The order of adding does not affect the list, which is sorted.
 * Memory: embedded struct, zeroed at the start, owned; 16 bytes a slot, at most 3/4 full. One
 * writer or many readers. */
#ifndef TWX_PREDICT_KEY_TABLE_H
#define TWX_PREDICT_KEY_TABLE_H

#include <stddef.h>

#include "base/ctx.h"

typedef struct twx_key_slot {
    uint64_t key, value; /* key 0: free; the key 0 is stored as 1 */
} twx_key_slot;

typedef struct twx_key_table {
    twx_key_slot *slots;
    size_t mask, n;
    size_t bytes_most; /* 0: no limit */
} twx_key_table;

void twx_key_table_done(twx_key_table *t);
/* The place of the value; a new key is added with `value` (and *ret_fresh set). NULL without an
 * error: the key is new and the limit is reached. Borrowed until the next call. */
TWX_CHECK twx_rc twx_key_table_place(twx_ctx *cx, twx_key_table *t, uint64_t key, uint64_t value,
                                     uint64_t **ret_at, bool *ret_fresh);
/* NULL: absent. */
const uint64_t *twx_key_table_get(const twx_key_table *t, uint64_t key);
/* All slots in order of the key as a signed number, the order of a database; owned by the caller,
 * twx_free(). NULL when there are none. */
TWX_CHECK twx_rc twx_key_table_list(twx_ctx *cx, const twx_key_table *t, twx_key_slot **ret_slots);

#endif
