/* store/removal.h: takes everything of Twindex out of a file, in one transaction: a process that is
 * killed leaves all of it or nothing. Rows and schema of others stay as they are; pages that become
 * free are used again by the next rows.
 * Memory: nothing is kept. */
#ifndef TWX_STORE_REMOVAL_H
#define TWX_STORE_REMOVAL_H

#include "store/db.h"

/* An object that is removed; or one of others that names such an object, stays, and cannot be used
 * any more if it reads it. */
typedef struct twx_removal_row {
    twx_slice drop; /* the statement that removes it; absent: it stays */
    twx_slice type; /* "table", "view", "trigger" */
    twx_slice name;
} twx_removal_row;

/* row: borrowed for the call. */
typedef twx_rc twx_removal_fn(void *arg, const twx_removal_row *row);

TWX_CHECK twx_rc twx_removal_list(twx_db *db, twx_removal_fn *fn, void *arg);
/* db: opened with TWX_DB_REMOVER. */
TWX_CHECK twx_rc twx_removal_apply(twx_db *db);

#endif
