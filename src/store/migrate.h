/* store/migrate.h: migrates Twindex's own tables to the schema version of this program.
 * [R1] There are no downgrades. [R2] A store written by a newer Twindex is refused and left
 * unchanged. */
#ifndef TWX_STORE_MIGRATE_H
#define TWX_STORE_MIGRATE_H

#include "base/flag_table.h"
#include "store/db.h"

/* The number of steps that are scripts; each later step adds the flag columns of its version
 * (base/flag_table.h). */
enum {
    TWX_SCHEMA_SCRIPTS = 7,
    TWX_SCHEMA_ONE_FLAG_TABLE = 5 /* before: twindex_flag_a and twindex_flag_b */
};

/* The largest of these numbers, computed as the size of a union, which is that of its largest
 * member. */
#define TWX_FLAG_SINCE(name, since) char name[since];
enum {
    TWX_SCHEMA_VERSION = sizeof(union {
        char scripts[TWX_SCHEMA_SCRIPTS];
        TWX_FLAG_TABLE(TWX_FLAG_SINCE)
    })
};
#undef TWX_FLAG_SINCE

/* Schema version of Twindex's tables in the store; 0 if it has none. */
TWX_CHECK twx_rc twx_schema_version(twx_db *db, int64_t *ret_version);
TWX_CHECK twx_rc twx_migrate(twx_db *db);
/* Errors TWX_E_DATA: an object that is not Twindex's has the name of one of its tables or views, or
 * is a trigger on one of the views. Publishing would replace it or fail. */
TWX_CHECK twx_rc twx_names_check(twx_db *db);
/* Errors TWX_E_DATA: a view, which could run any query, has the name of a table of Twindex. */
TWX_CHECK twx_rc twx_tables_check(twx_db *db);
/* Whether the file has tables that are not Twindex's. */
TWX_CHECK twx_rc twx_has_foreign_tables(twx_db *db, bool *ret_has);
/* Creates our own `documents` table with its triggers. [R3] A table of that name and shape without
 * the change queue, as `remove` leaves it, gets queue and triggers again; any other is refused with
 * TWX_E_DATA. db: an owner. */
TWX_CHECK twx_rc twx_make_documents(twx_db *db);
/* Adds the columns that `documents` got after its first version. They are recognised by their
 * names, not by the schema version: a store that was only imported into has no twindex_state, and
 * a run must not change `documents`. db: an owner. */
TWX_CHECK twx_rc twx_migrate_documents(twx_db *db);

#endif
