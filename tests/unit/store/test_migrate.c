#include "store_fixture.h"

TEST(tables_are_made_once_and_then_left_alone) {
    twx_ctx cx;
    int64_t version = 7;
    const char *path = store_of("migrate.db", "CREATE TABLE pages(x)");
    twx_db *db = open_as(&cx, path, TWX_DB_WRITER);
    expect_ok(&cx, twx_schema_version(db, &version));
    assert_int_equal(version, 0);
    expect_ok(&cx, twx_migrate(db, &TWX_SCHEMA));
    expect_ok(&cx, twx_schema_version(db, &version));
    assert_int_equal(version, TWX_SCHEMA.version);
    const uint64_t content = test_store_content(path);
    const int64_t schema = test_integer_in(path, "PRAGMA schema_version");
    expect_ok(&cx, twx_migrate(db, &TWX_SCHEMA));
    assert_int_equal(test_store_content(path), content);
    assert_int_equal(test_integer_in(path, "PRAGMA schema_version"), schema);
    twx_db_close(db);
}

/* R2 */
TEST(r2_a_store_of_another_version_is_refused_and_not_touched) {
    twx_ctx cx;
    int64_t version = 0;
    const char *path = store_of("migrate.db", "CREATE TABLE pages(x)");
    twx_db *db = open_migrated(&cx, path);
    expect_ok(&cx, twx_db_script(db, "UPDATE twindex_state SET schema_version = 99"));
    uint64_t content = test_store_content(path);
    expect_fail(&cx, twx_migrate(db, &TWX_SCHEMA), TWX_E_DATA,
                "migrate.db was written by a newer twindex (schema version 99");
    expect_fail(&cx, twx_schema_check(db, &TWX_SCHEMA, &version), TWX_E_DATA, "'twindex remove'");
    assert_int_equal(test_store_content(path), content);
    expect_ok(&cx, twx_db_script(db, "UPDATE twindex_state SET schema_version = 7"));
    content = test_store_content(path);
    expect_fail(&cx, twx_migrate(db, &TWX_SCHEMA), TWX_E_DATA,
                "migrate.db was written by an older twindex (schema version 7");
    expect_fail(&cx, twx_schema_check(db, &TWX_SCHEMA, &version), TWX_E_DATA, "'twindex remove'");
    assert_int_equal(test_store_content(path), content);
    twx_db_close(db);
}

/* The second step fails at first: the one before it stays. */
TEST(steps_lead_to_the_next_versions) {
    static const char *const STEPS[] = {"ALTER TABLE twindex_run ADD COLUMN host TEXT",
                                        "CREATE TABLE twindex_second(x)", NULL};
    const twx_schema next = {.tables = "SELECT nothing",
                             .steps = STEPS,
                             .first = TWX_SCHEMA.version,
                             .version = TWX_SCHEMA.version + 2};
    twx_ctx cx;
    int64_t version = 0;
    const char *path = store_of("migrate.db", "CREATE TABLE twindex_second(theirs)");
    twx_db *db = open_migrated(&cx, path);
    expect_fail(&cx, twx_schema_check(db, &next, &version), TWX_E_DATA,
                "'twindex run' brings it up to date");
    expect_fail(&cx, twx_migrate(db, &next), TWX_E_DATA, "already exists");
    expect_ok(&cx, twx_schema_version(db, &version));
    assert_int_equal(version, TWX_SCHEMA.version + 1);
    test_exec_in(path, "DROP TABLE twindex_second; UPDATE twindex_state SET token = 42");
    expect_ok(&cx, twx_migrate(db, &next));
    expect_ok(&cx, twx_schema_check(db, &next, &version));
    assert_int_equal(version, next.version);
    assert_int_equal(
        test_integer_in(path, "SELECT token + count(host) + (SELECT count(*) FROM twindex_second) "
                              "FROM twindex_state LEFT JOIN twindex_run"),
        42);
    twx_db_close(db);
}

TEST(a_state_without_a_valid_version_is_damage) {
    static const struct {
        const char *sql, *message;
        twx_rc rc;
    } CASES[] = {{"DELETE FROM twindex_state", "twindex_state is empty", TWX_E_DATA},
                 {"UPDATE twindex_state SET schema_version = 0", "no valid schema_version: 0",
                  TWX_E_CORRUPT}};
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        twx_ctx cx;
        int64_t version = 0;
        twx_db *db = open_migrated(&cx, store_of("migrate.db", "CREATE TABLE pages(x)"));
        expect_ok(&cx, twx_db_script(db, CASES[i].sql));
        expect_fail(&cx, twx_schema_version(db, &version), CASES[i].rc, CASES[i].message);
        twx_db_close(db);
    }
}

/* Half a schema would be worse than none. */
TEST(tables_that_cannot_all_be_made_are_not_made) {
    twx_ctx cx;
    const char *path = store_of("migrate.db",
                                "CREATE TABLE theirs(x);"
                                "CREATE TRIGGER twindex_signature_deleted AFTER DELETE ON theirs "
                                "BEGIN SELECT 1; END");
    const uint64_t content = test_store_content(path);
    twx_db *db = open_as(&cx, path, TWX_DB_WRITER);
    expect_fail(&cx, twx_migrate(db, &TWX_SCHEMA), TWX_E_DATA,
                "twindex_signature_deleted already exists");
    twx_db_close(db);
    assert_int_equal(test_store_content(path), content);
}

TEST(a_table_of_another_program_is_named) {
    twx_ctx cx;
    const char *path = store_of("taken.db", "CREATE TABLE twindex_run(of_somebody_else)");
    twx_db *db = open_as(&cx, path, TWX_DB_WRITER);
    expect_fail(&cx, twx_migrate(db, &TWX_SCHEMA), TWX_E_DATA,
                "has 'twindex_run', a name that Twindex needs");
    twx_db_close(db);
}

/* So an import waits for no lock before it has something to write. */
TEST(documents_are_checked_without_a_lock) {
    twx_ctx cx = {0};
    const char *path = test_file("own.db");
    const twx_db_options make = {.mode = TWX_DB_OWNER, .create = true};
    twx_db *db = NULL;
    expect_ok(&cx, twx_db_open(&cx, path, &make, &db));
    expect_ok(&cx, twx_make_documents(db));
    sqlite3 *other = test_open(path);
    test_exec(other, "BEGIN IMMEDIATE");
    expect_ok(&cx, twx_check_documents(db));
    test_exec(other, "ROLLBACK");
    test_exec(other, "ALTER TABLE documents DROP COLUMN names");
    sqlite3_close(other);
    expect_fail(&cx, twx_check_documents(db), TWX_E_DATA,
                "own.db has a table `documents` that this version of twindex cannot import into");
    twx_db_close(db);
}
