/* store/migrate.h: brings twindex's own tables up to the schema this program knows.
 * [R1] Steps go forward only. [R2] A store that a newer twindex has written is refused, not
 * touched. */
#ifndef TWX_STORE_MIGRATE_H
#define TWX_STORE_MIGRATE_H

#include "store/db.h"

enum { TWX_SCHEMA_VERSION = 3 };

/* Version of twindex's tables in the store; 0: it has none. */
TWX_CHECK twx_rc twx_schema_version(twx_db *db, int64_t *ret_version);
TWX_CHECK twx_rc twx_migrate(twx_db *db);
/* Makes our own `documents` table with its triggers; TWX_E_DATA when the store has a table of that
 * name. db: an owner. */
TWX_CHECK twx_rc twx_make_documents(twx_db *db);

#endif
