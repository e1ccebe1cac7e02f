/* store/digest.h: one number for all published flags, to compare two stores or two runs.
 * [R1] Order-free: a sum over rows of a hash of all columns, ids as the user has them; no document
 * number shows. */
#ifndef TWX_STORE_DIGEST_H
#define TWX_STORE_DIGEST_H

#include "base/hash64.h"
#include "store/db.h"

/* Of the views document_flags and twindex_group_member. TWX_E_DATA when nothing is published. */
TWX_CHECK twx_rc twx_flags_digest(twx_db *db, twx_hash128 *ret_digest);

#endif
