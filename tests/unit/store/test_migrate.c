#include "store_fixture.h"

static void tables_are_made_once_and_then_left_alone(void **state) {
    twx_ctx cx;
    int64_t version = 7;
    const char *path = store_of("migrate.db", "CREATE TABLE pages(x)");
    (void)state;
    twx_db *db = open_as(&cx, path, TWX_DB_WRITER);
    expect_ok(&cx, twx_schema_version(db, &version));
    assert_int_equal(version, 0);
    expect_ok(&cx, twx_migrate(db));
    expect_ok(&cx, twx_schema_version(db, &version));
    assert_int_equal(version, TWX_SCHEMA_VERSION);
    const uint64_t content = test_store_content(path);
    const int64_t schema = integer_in(path, "PRAGMA schema_version");
    expect_ok(&cx, twx_migrate(db));
    assert_int_equal(test_store_content(path), content);
    assert_int_equal(integer_in(path, "PRAGMA schema_version"), schema);
    twx_db_close(db);
}

/* R2 */
static void r2_a_store_of_a_newer_twindex_is_refused_and_not_touched(void **state) {
    twx_ctx cx;
    const char *path = store_of("migrate.db", "CREATE TABLE pages(x)");
    (void)state;
    twx_db *db = open_migrated(&cx, path);
    expect_ok(&cx, twx_db_script(db, "UPDATE twindex_state SET schema_version = 99"));
    const uint64_t content = test_store_content(path);
    expect_fail(&cx, twx_migrate(db), TWX_E_DATA, "was written by a newer twindex (schema 99");
    assert_int_equal(test_store_content(path), content);
    twx_db_close(db);
}

static void a_state_without_its_row_is_said_to_be_empty(void **state) {
    twx_ctx cx;
    int64_t version = 0;
    (void)state;
    twx_db *db = open_migrated(&cx, store_of("migrate.db", "CREATE TABLE pages(x)"));
    expect_ok(&cx, twx_db_script(db, "DELETE FROM twindex_state"));
    expect_fail(&cx, twx_schema_version(db, &version), TWX_E_DATA, "twindex_state is empty");
    twx_db_close(db);
}

static void a_version_below_1_is_damage(void **state) {
    twx_ctx cx;
    int64_t version = 0;
    (void)state;
    twx_db *db = open_migrated(&cx, store_of("migrate.db", "CREATE TABLE pages(x)"));
    expect_ok(&cx, twx_db_script(db, "UPDATE twindex_state SET schema_version = 0"));
    expect_fail(&cx, twx_schema_version(db, &version), TWX_E_CORRUPT, "no valid schema_version: 0");
    twx_db_close(db);
}

/* Half a schema would be worse than none. */
static void a_step_that_fails_leaves_nothing_behind(void **state) {
    twx_ctx cx;
    const char *path = store_of("migrate.db",
                                "CREATE TABLE theirs(x);"
                                "CREATE TRIGGER twindex_signature_dropped AFTER DELETE ON theirs "
                                "BEGIN SELECT 1; END");
    (void)state;
    const uint64_t content = test_store_content(path);
    twx_db *db = open_as(&cx, path, TWX_DB_WRITER);
    expect_fail(&cx, twx_migrate(db), TWX_E_DATA, "twindex_signature_dropped already exists");
    twx_db_close(db);
    assert_int_equal(test_store_content(path), content);
}

static void a_table_of_another_program_is_named(void **state) {
    twx_ctx cx;
    const char *path = store_of("taken.db", "CREATE TABLE twindex_run(of_somebody_else)");
    (void)state;
    twx_db *db = open_as(&cx, path, TWX_DB_WRITER);
    expect_fail(&cx, twx_migrate(db), TWX_E_DATA, "has 'twindex_run', a name that Twindex needs");
    twx_db_close(db);
}

/* So an import waits for nobody's lock before it has something to write. */
static void documents_with_all_columns_are_not_locked(void **state) {
    twx_ctx cx;
    const char *path = test_file("own.db");
    const twx_db_options make = {.mode = TWX_DB_OWNER, .create = true};
    twx_db *db = NULL;
    (void)state;
    twx_ctx_init(&cx);
    expect_ok(&cx, twx_db_open(&cx, path, &make, &db));
    expect_ok(&cx, twx_make_documents(db));
    sqlite3 *other = test_open(path);
    test_exec(other, "BEGIN IMMEDIATE");
    expect_ok(&cx, twx_migrate_documents(db));
    test_exec(other, "ROLLBACK");
    sqlite3_close(other);
    twx_db_close(db);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_made_once_and_then_left_alone),
        cmocka_unit_test(r2_a_store_of_a_newer_twindex_is_refused_and_not_touched),
        cmocka_unit_test(a_state_without_its_row_is_said_to_be_empty),
        cmocka_unit_test(a_version_below_1_is_damage),
        cmocka_unit_test(a_step_that_fails_leaves_nothing_behind),
        cmocka_unit_test(a_table_of_another_program_is_named),
        cmocka_unit_test(documents_with_all_columns_are_not_locked),
    };
    return cmocka_run_group_tests_name("migrate", tests, NULL, NULL);
}
