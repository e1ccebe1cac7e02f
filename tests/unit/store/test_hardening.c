/* What every connection to a store forbids, limits and sets before it reads anything of it: without
 * it, a run works as well, until a hostile store, a power cut or another writer comes. */
#include "store_fixture.h"

#define PAGES                                                                                    \
    "CREATE TABLE pages(id INTEGER PRIMARY KEY, url, content); INSERT INTO pages(url, content) " \
    "VALUES ('u', 't');"

enum { MODES = 3, DEFAULT_ROW_BYTES = 64 << 20 };

static const twx_db_mode MODE[MODES] = {TWX_DB_READER, TWX_DB_WRITER, TWX_DB_OWNER};

static const char *store_in(bool wal) {
    return wal ? store_of("wal.db", "PRAGMA journal_mode = WAL;" PAGES)
               : store_of("rollback.db", PAGES);
}

static void is_option(const twx_db *db, int option, int wanted) {
    int found = -1;
    assert_int_equal(sqlite3_db_config(db->handle, option, -1, &found), SQLITE_OK);
    if (found != wanted) fail_msg("option %d is %d in mode %d", option, found, (int)db->mode);
}

/* From 3.38 to 3.40 SQLite calls its own JSON functions unsafe (db.c). */
static int trusted_schema(void) {
    const int version = sqlite3_libversion_number();
    return version >= 3038000 && version < 3041000;
}

TEST(nothing_of_a_hostile_schema_runs) {
    static const int OFF[] = {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION,
                              SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, SQLITE_DBCONFIG_DQS_DDL,
                              SQLITE_DBCONFIG_DQS_DML};
    for (size_t m = 0; m < MODES; m++) {
        twx_ctx cx;
        twx_db *db = open_as(&cx, store_in(false), MODE[m]);
        is_option(db, SQLITE_DBCONFIG_DEFENSIVE, 1);
        is_option(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, trusted_schema());
        for (size_t i = 0; i < TWX_COUNTOF(OFF); i++) is_option(db, OFF[i], 0);
        assert_int_equal(test_integer(db->handle, "PRAGMA cell_size_check"), 1);
        twx_db_close(db);
    }
}

TEST(statements_are_limited) {
    static const struct {
        int limit, wanted;
    } LIMIT[] = {{SQLITE_LIMIT_SQL_LENGTH, 4 << 20},  {SQLITE_LIMIT_ATTACHED, 0},
                 {SQLITE_LIMIT_EXPR_DEPTH, 1000},     {SQLITE_LIMIT_VDBE_OP, 4 << 20},
                 {SQLITE_LIMIT_TRIGGER_DEPTH, 1},     {SQLITE_LIMIT_VARIABLE_NUMBER, 100},
                 {SQLITE_LIMIT_COMPOUND_SELECT, 500}, {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
                 {SQLITE_LIMIT_COLUMN, 2000},         {SQLITE_LIMIT_LENGTH, DEFAULT_ROW_BYTES}};
    for (size_t m = 0; m < MODES; m++) {
        twx_ctx cx;
        twx_db *db = open_as(&cx, store_in(false), MODE[m]);
        for (size_t i = 0; i < TWX_COUNTOF(LIMIT); i++)
            if (sqlite3_limit(db->handle, LIMIT[i].limit, -1) != LIMIT[i].wanted)
                fail_msg("limit %d is %d", LIMIT[i].limit,
                         sqlite3_limit(db->handle, LIMIT[i].limit, -1));
        twx_db_close(db);
    }
}

TEST(the_longest_row_is_a_setting) {
    static const struct {
        uint64_t asked;
        int wanted; /* SQLite's own maximum is 10^9 */
    } ROW[] = {{0, DEFAULT_ROW_BYTES}, {1 << 20, 1 << 20}, {UINT64_C(1) << 40, 1000000000}};
    for (size_t i = 0; i < TWX_COUNTOF(ROW); i++) {
        twx_ctx cx = {0};
        twx_db *db = NULL;
        const twx_db_options options = {.mode = TWX_DB_READER, .row_bytes = ROW[i].asked};
        expect_ok(&cx, twx_db_open(&cx, store_in(false), &options, &db));
        assert_int_equal(sqlite3_limit(db->handle, SQLITE_LIMIT_LENGTH, -1), ROW[i].wanted);
        twx_db_close(db);
    }
}

/* docs/internals.md: a rollback journal needs EXTRA (3), a WAL needs FULL (2); a commit to a
 * store that others write to copies nothing from the WAL; no page is spilled. */
TEST(commits_are_durable) {
    for (int wal = 0; wal < 2; wal++)
        for (size_t m = 1; m < MODES; m++) {
            twx_ctx cx;
            twx_db *db = open_as(&cx, store_in(wal), MODE[m]);
            const bool never = wal && MODE[m] == TWX_DB_WRITER;
            assert_int_equal(test_integer(db->handle, "PRAGMA synchronous"), wal ? 2 : 3);
            assert_int_equal(test_integer(db->handle, "PRAGMA wal_autocheckpoint"),
                             never ? 0 : 1000);
            assert_int_equal(test_integer(db->handle, "PRAGMA cache_spill"), 0);
            twx_db_close(db);
        }
}

TEST(a_reader_only_reads) {
    twx_ctx cx;
    twx_db *db = open_as(&cx, store_in(true), TWX_DB_READER);
    assert_int_equal(sqlite3_db_readonly(db->handle, "main"), 1);
    assert_int_equal(test_integer(db->handle, "PRAGMA query_only"), 1);
    assert_int_equal(test_integer(db->handle, "PRAGMA temp_store"), 1); /* a file */
    expect_ok(&cx, twx_db_script_writable(db, "CREATE TEMP VIEW source_document AS SELECT 1"));
    assert_int_equal(test_integer(db->handle, "PRAGMA query_only"), 1);
    twx_db_close(db);
}
