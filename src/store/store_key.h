/* store/store_key.h: twindex_store_key: a random number that tells a store from all others, by
 * which a cluster sees that a shard is not pushed from two of them. It is kept in the file, so a
 * store that was moved or restored from a copy is the same. */
#ifndef TWX_STORE_STORE_KEY_H
#define TWX_STORE_STORE_KEY_H

#include "store/db.h"

/* Draws the number if the store has none. db: an owner. Errors TWX_E_CORRUPT: the row is gone and
 * cannot be made */
TWX_CHECK twx_rc twx_store_key(twx_db *db, uint64_t *ret_key);

#endif
