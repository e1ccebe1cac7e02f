/* The first byte chooses an SQL function of the extension, the second the types of its arguments,
 * which are separated by zeros. Laws: a call gives a value or an error that begins with the name of
 * the function; the same call gives the same. */
#define SQLITE_CORE 1
#include "ext/ext.h"

#include "exact_copy.h"

enum { ARGUMENTS = 3, FUNCTIONS_MAX = 64 };

static sqlite3 *connection(void) {
    static sqlite3 *db;
    if (db) return db;
    law(sqlite3_open(":memory:", &db) == SQLITE_OK);
    law(twx_ext_register(db, NULL) == SQLITE_OK);
    return db;
}

/* SELECT f(?1, ?2), prepared once for each function and number of arguments. */
static sqlite3_stmt *statement(size_t f, int n) {
    static sqlite3_stmt *stmts[FUNCTIONS_MAX][ARGUMENTS + 1];
    const twx_ext_function *function = twx_ext_function_at(f);
    char sql[200];
    law(f < FUNCTIONS_MAX);
    if (!stmts[f][n]) {
        int at = snprintf(sql, sizeof sql, "SELECT %s(", function->name);
        for (int i = 1; i <= n; i++)
            at += snprintf(sql + at, sizeof sql - (size_t)at, "%s?%d", i > 1 ? "," : "", i);
        snprintf(sql + at, sizeof sql - (size_t)at, ")");
        law(sqlite3_prepare_v2(connection(), sql, -1, &stmts[f][n], NULL) == SQLITE_OK);
    }
    return stmts[f][n];
}

static void bind(sqlite3_stmt *stmt, int at, unsigned type, twx_slice bytes) {
    int64_t number = 0;
    memcpy(&number, bytes.p, bytes.n < sizeof number ? bytes.n : sizeof number);
    switch (type % 8) {
    case 0: sqlite3_bind_blob(stmt, at, bytes.p, (int)bytes.n, SQLITE_STATIC); break;
    case 1: sqlite3_bind_int64(stmt, at, number); break;
    case 2: sqlite3_bind_double(stmt, at, (double)number / 1000); break;
    case 3: sqlite3_bind_null(stmt, at); break;
    case 4: sqlite3_bind_int64(stmt, at, number % 100); break;
    default: sqlite3_bind_text(stmt, at, bytes.p, (int)bytes.n, SQLITE_STATIC);
    }
}

/* The result, to be compared. */
static void call(sqlite3_stmt *stmt, const char *name, int *ret_rc, twx_slice *ret_value) {
    *ret_rc = sqlite3_step(stmt);
    *ret_value = (twx_slice){NULL, 0};
    if (*ret_rc != SQLITE_ROW) {
        law(strncmp(sqlite3_errmsg(connection()), name, strlen(name)) == 0);
        sqlite3_reset(stmt);
        return;
    }
    const int n = sqlite3_column_bytes(stmt, 0);
    *ret_value = exact_copy(sqlite3_column_blob(stmt, 0), (size_t)n);
    sqlite3_reset(stmt);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t functions = 0;
    while (twx_ext_function_at(functions)) functions++;
    if (size < 2) return 0;
    const size_t f = data[0] % functions;
    const twx_ext_function *function = twx_ext_function_at(f);
    const int n = function->least + data[1] % (function->most - function->least + 1);
    sqlite3_stmt *stmt = statement(f, n);
    twx_slice arguments[ARGUMENTS] = {{NULL, 0}};
    size_t at = 2;
    for (int i = 0; i < n; i++) {
        const uint8_t *zero = i + 1 < n && at < size ? memchr(data + at, 0, size - at) : NULL;
        const size_t end = zero ? (size_t)(zero - data) : size;
        arguments[i] = exact_copy(data + at, end - at);
        bind(stmt, i + 1, data[1] >> (2 * i), arguments[i]);
        at = end < size ? end + 1 : size;
    }
    int once_rc = 0, twice_rc = 0;
    twx_slice once, twice;
    call(stmt, function->name, &once_rc, &once);
    call(stmt, function->name, &twice_rc, &twice);
    law(once_rc == twice_rc && twx_slice_eq(once, twice));
    sqlite3_clear_bindings(stmt);
    return exact_end();
}
