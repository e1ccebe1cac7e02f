/* store/flags_digest.h: one number for all published flags, to compare two stores or two runs.
 * [R1] Independent of row order: the sum over all rows of a hash of their columns. It uses the ids
 * of the source, never document numbers. */
#ifndef TWX_STORE_FLAGS_DIGEST_H
#define TWX_STORE_FLAGS_DIGEST_H

#include "base/hash64.h"
#include "store/db.h"

/* The digest of the views document_flags and twindex_group_member. TWX_E_DATA when nothing is
 * published. */
TWX_CHECK twx_rc twx_flags_digest(twx_db *db, twx_hash128 *ret_digest);
/* The digest of one of the generations, published or not, as its views would have it. Opens the
 * file once more; options: of a reader. */
TWX_CHECK twx_rc twx_flags_digest_of(twx_ctx *cx, const char *path, const twx_db_options *options,
                                     char generation, bool direct, twx_hash128 *ret_digest);

#endif
