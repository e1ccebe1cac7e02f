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
/* Errors TWX_E_DATA: an object that is not Twindex's has the name of one of its tables or views.
 * Publishing would replace or fail on it. */
TWX_CHECK twx_rc twx_names_check(twx_db *db);
/* Errors TWX_E_DATA: a view, which could run any query, has the name of a table of Twindex. */
TWX_CHECK twx_rc twx_tables_check(twx_db *db);
/* Has the file tables that are not Twindex's? */
TWX_CHECK twx_rc twx_has_foreign_tables(twx_db *db, bool *ret_has);
/* Makes our own `documents` table with its triggers; TWX_E_DATA when the store has a table of that
 * name. db: an owner. */
TWX_CHECK twx_rc twx_make_documents(twx_db *db);

#endif
