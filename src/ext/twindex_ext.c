/* The SQLite loadable extension twindex.so: the pure steps of a run as SQL functions
 * (docs/extension.md).
 *
 * The functions are rows of functions.tsv and of the ext_*.tsv of wings. All are direct-only: the
 * schema of a store, which strangers may have written, cannot call them unless the connection
 * allows it by twindex_config('indirect', 1). The library exports only sqlite3_twindex_init, a name
 * that SQLite derives from the file name. */
#include "ext/ext.h"
#include "function_rows.h"

enum { OLDEST_SQLITE = 3040000 };

#define WINGS_FUNCTIONS(name) extern const twx_ext_functions TWX_FUNCTIONS_##name;
TWX_FUNCTIONS_ROWS(WINGS_FUNCTIONS)

static const twx_ext_function FUNCTIONS[] = {TWX_FIRST_FUNCTIONS}, ABOUT[] = {TWX_LAST_FUNCTIONS};

static const twx_ext_functions FIRST = {FUNCTIONS, TWX_COUNTOF(FUNCTIONS)},
                               LAST = {ABOUT, TWX_COUNTOF(ABOUT)};

#define ADDRESS(name) &TWX_FUNCTIONS_##name,
static const twx_ext_functions *const LISTS[] = {&FIRST, TWX_FUNCTIONS_ROWS(ADDRESS) & LAST};

const twx_ext_function *twx_ext_function_at(size_t i) {
    for (size_t list = 0; list < TWX_COUNTOF(LISTS); i -= LISTS[list++]->n)
        if (i < LISTS[list]->n) return &LISTS[list]->at[i];
    return NULL;
}

int twx_ext_register(sqlite3 *db, twx_faults *faults) {
    const int code = twx_ext_bind_all(db, twx_ext_function_at, faults);
    return code == SQLITE_OK ? twx_ext_register_terms(db, faults) : code;
}

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
