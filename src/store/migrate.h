/* store/migrate.h: the tables of Twindex in a store, and our own table `documents`: made, checked,
 * and brought to the schema version of this program.
 * [R1] There are no downgrades. [R2] A store of another schema version from which no steps lead
 * here is refused and left unchanged. */
#ifndef TWX_STORE_MIGRATE_H
#define TWX_STORE_MIGRATE_H

#include "store/db.h"

enum { TWX_SCHEMA_FIRST = 7, TWX_SCHEMA_VERSION = TWX_SCHEMA_FIRST };

/* `tables` makes the tables of the version `version`; steps[i] leads from version `first` + i to
 * the next one. */
typedef struct twx_schema {
    const char *tables;
    const char *const *steps;
    int64_t first, version;
} twx_schema;

extern const twx_schema TWX_SCHEMA; /* of this program */

/* Schema version of Twindex's tables in the store; 0 if it has none. */
TWX_CHECK twx_rc twx_schema_version(twx_db *db, int64_t *ret_version);
/* The same. Errors TWX_E_DATA: the tables are of another version. The message says what to do. */
TWX_CHECK twx_rc twx_schema_check(twx_db *db, const twx_schema *schema, int64_t *ret_version);
/* Makes the tables, or takes the steps that lead to this version, each in a transaction. Errors as
 * twx_schema_check(). */
TWX_CHECK twx_rc twx_migrate(twx_db *db, const twx_schema *schema);
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
/* Errors TWX_E_DATA: `documents` lacks a column that an import writes. */
TWX_CHECK twx_rc twx_check_documents(twx_db *db);

#endif
