/* store/migrate.h: brings twindex's own tables up to the schema this program knows.
 * [R1] Steps go forward only. [R2] A store that a newer twindex has written is refused, not
 * touched. */
#ifndef TWX_STORE_MIGRATE_H
#define TWX_STORE_MIGRATE_H

#include "base/flag_table.h"
#include "store/db.h"

/* The steps that are scripts; each later one adds the columns of flags that have its number
 * (base/flag_table.h). */
enum { TWX_SCHEMA_SCRIPTS = 3 };

/* The largest of these numbers: a union is as large as its largest member. */
#define TWX_FLAG_SINCE(name, since) char name[since];
enum {
    TWX_SCHEMA_VERSION = sizeof(union {
        char scripts[TWX_SCHEMA_SCRIPTS];
        TWX_FLAG_TABLE(TWX_FLAG_SINCE)
    })
};
#undef TWX_FLAG_SINCE

/* Version of twindex's tables in the store; 0: it has none. */
TWX_CHECK twx_rc twx_schema_version(twx_db *db, int64_t *ret_version);
TWX_CHECK twx_rc twx_migrate(twx_db *db);
/* Makes our own `documents` table with its triggers; TWX_E_DATA when the store has a table of that
 * name. db: an owner. */
TWX_CHECK twx_rc twx_make_documents(twx_db *db);

#endif
