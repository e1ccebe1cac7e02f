/* store/store_key.h: twindex_store_key: a random number that identifies a store. A cluster uses it
 * to refuse a push from a different store under the same shard number. The number is part of the
 * file, so a store keeps it when it is moved or restored from a copy. */
#ifndef TWX_STORE_STORE_KEY_H
#define TWX_STORE_STORE_KEY_H

#include "store/db.h"

/* Draws the number if the store has none, in a transaction of its own. db: an owner. Errors
 * TWX_E_CORRUPT: the table has another shape and takes no row */
TWX_CHECK twx_rc twx_store_key(twx_db *db, uint64_t *ret_key);

#endif
