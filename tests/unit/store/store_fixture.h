/* What the tests of src/store share: a context, a fresh file, SQL in a connection of the store's
 * owner. */
#ifndef TWINDEX_TEST_STORE_FIXTURE_H
#define TWINDEX_TEST_STORE_FIXTURE_H

#include "store_maker.h"

#include "store/store.h"

/* The reason has to be in the message; the context is clean afterwards. */
static inline void expect_fail(twx_ctx *cx, twx_rc got, twx_rc wanted, const char *reason) {
    if (got != wanted)
        fail_msg("%s, not %s: %s", test_rc_name(got), test_rc_name(wanted), cx->message);
    if (!strstr(cx->message, reason)) fail_msg("'%s' is not in: %s", reason, cx->message);
    twx_ctx_clear(cx);
}

static inline void expect_ok(const twx_ctx *cx, twx_rc got) {
    if (got != TWX_OK) fail_msg("%s: %s", test_rc_name(got), cx->message);
}

/* A new file with what the script makes. Borrowed as test_file() says. */
static inline const char *store_of(const char *name, const char *script) {
    const char *path = test_file(name);
    test_exec_in(path, script);
    return path;
}

static inline twx_db *open_as(twx_ctx *cx, const char *path, twx_db_mode mode) {
    twx_db *db = NULL;
    const twx_db_options options = {.mode = mode, .busy_ms = 50};
    twx_ctx_init(cx);
    expect_ok(cx, twx_db_open(cx, path, &options, &db));
    return db;
}

/* A writer of a store that has twindex's tables. */
static inline twx_db *open_migrated(twx_ctx *cx, const char *path) {
    twx_db *db = open_as(cx, path, TWX_DB_WRITER);
    expect_ok(cx, twx_migrate(db, &TWX_SCHEMA));
    return db;
}

/* NULL is "NULL". Borrowed until the next call. */
static inline const char *text_in(const char *path, const char *sql) {
    sqlite3 *db = test_open(path);
    sqlite3_stmt *stmt = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    const char *got = (const char *)sqlite3_column_text(stmt, 0);
    static char copy[1000];
    snprintf(copy, sizeof copy, "%s", got ? got : "NULL");
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return copy;
}

#endif
