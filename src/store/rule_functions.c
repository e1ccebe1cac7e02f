#include "store/rule_functions.h"

#include <sqlite3.h>

#include "store/stmt.h"

/* An id is one of the types of a value. */
static twx_value id_of(sqlite3_value *v) {
    twx_value id = {.type = TWX_NULL};
    switch (sqlite3_value_type(v)) {
    case SQLITE_INTEGER: return (twx_value){.type = TWX_INT, .i = sqlite3_value_int64(v)};
    case SQLITE_FLOAT: return (twx_value){.type = TWX_REAL, .r = sqlite3_value_double(v)};
    case SQLITE_TEXT: id.type = TWX_TEXT; break;
    case SQLITE_BLOB: id.type = TWX_BLOB; break;
    default: return id;
    }
    const char *bytes = sqlite3_value_blob(v);
    id.bytes = (twx_slice){bytes ? bytes : "", (size_t)sqlite3_value_bytes(v)};
    return id;
}

static void matches(sqlite3_context *context, int n, sqlite3_value **values) {
    const twx_rule_functions *f = sqlite3_user_data(context);
    const twx_value id = id_of(values[0]);
    bool known = false, yes = false;
    (void)n;
    if (id.type == TWX_NULL) return;
    if (f->matches(f->arg, &id, sqlite3_value_int64(values[1]), &known, &yes) != TWX_OK)
        sqlite3_result_error(context, "a document cannot be read", -1);
    else if (known)
        sqlite3_result_int(context, yes);
}

static void number(sqlite3_context *context, int n, sqlite3_value **values) {
    const twx_rule_functions *f = sqlite3_user_data(context);
    const twx_value id = id_of(values[0]);
    bool known = false;
    double x = 0;
    (void)n;
    if (id.type == TWX_NULL) return;
    if (f->number(f->arg, &id, sqlite3_value_int64(values[1]), &known, &x) != TWX_OK)
        sqlite3_result_error(context, "a document cannot be read", -1);
    else if (known)
        sqlite3_result_double(context, x);
}

twx_rc twx_rule_functions_register(twx_db *db, const twx_rule_functions *functions) {
    static const struct {
        const char *name;
        void (*call)(sqlite3_context *, int, sqlite3_value **);
    } FUNCTIONS[] = {{"rule_matches", matches}, {"rule_number", number}};
    for (size_t i = 0; i < TWX_COUNTOF(FUNCTIONS); i++) {
        const int rc = sqlite3_create_function_v2(
            db->handle, FUNCTIONS[i].name, 2, SQLITE_UTF8 | SQLITE_DIRECTONLY,
            (void *)(uintptr_t)functions, FUNCTIONS[i].call, NULL, NULL, NULL);
        if (rc != SQLITE_OK) return twx_db_fail(db, rc, "register an SQL function");
    }
    return TWX_OK;
}
