/* store/removal.h: takes everything of Twindex out of a file, in one transaction: a process that is
 * killed leaves all of it or nothing. Rows and schema of others stay as they are; pages that become
 * free are used again by the next rows.
 * Memory: nothing is kept. */
#ifndef TWX_STORE_REMOVAL_H
#define TWX_STORE_REMOVAL_H

#include "store/db.h"

/* type: "table", "view", "trigger"; both are borrowed for the call. */
typedef twx_rc twx_object_fn(void *arg, twx_slice type, twx_slice name);

/* The objects that would be removed. */
TWX_CHECK twx_rc twx_removal_list(twx_db *db, twx_object_fn *fn, void *arg);
/* Objects of others that name one of them: they stay, and cannot be used any more. */
TWX_CHECK twx_rc twx_referring_list(twx_db *db, twx_object_fn *fn, void *arg);
/* db: opened with TWX_DB_REMOVER. */
TWX_CHECK twx_rc twx_removal_apply(twx_db *db);

#endif
