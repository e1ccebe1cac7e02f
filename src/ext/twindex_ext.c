/* The SQLite loadable extension twindex.so: the pure steps of a run as SQL functions
 * (docs/extension.md).
 *
 * The functions are rows of functions.tsv and of the ext_*.tsv of wings (ext_functions.c). All are
 * direct-only: the schema of a store, which strangers may have written, cannot call them unless the
 * connection allows it by twindex_config('indirect', 1). The library exports only
 * sqlite3_twindex_init, a name that SQLite derives from the file name. */
#include "ext/ext.h"

enum { OLDEST_SQLITE = 3040000 };

__attribute__((visibility("default"))) int sqlite3_twindex_init(sqlite3 *db, char **error,
                                                                const sqlite3_api_routines *api);

int sqlite3_twindex_init(sqlite3 *db, char **error, const sqlite3_api_routines *api) {
#ifndef SQLITE_CORE
    sqlite3_api = api;
#else
    (void)api;
#endif
    if (sqlite3_libversion_number() < OLDEST_SQLITE) {
        *error = sqlite3_mprintf("twindex needs SQLite 3.40 or newer, this is %s",
                                 sqlite3_libversion());
        return SQLITE_ERROR;
    }
    const int code = twx_ext_register(db, NULL);
    if (code != SQLITE_OK)
        *error = sqlite3_mprintf("twindex cannot register its functions: %s", sqlite3_errmsg(db));
    return code;
}
