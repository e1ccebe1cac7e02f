/* store/shards.c: a store keeps its number, a copy of the file has it too, and no other store
 * has it. */
#include "store_fixture.h"

static const char SCRIPT[] = "CREATE TABLE pages(id INTEGER PRIMARY KEY, url)";

/* Opens the store anew. */
static uint64_t key_of(const char *path) {
    uint64_t key = 0;
    twx_ctx cx = {0};
    twx_db *db = open_migrated(&cx, path);
    expect_ok(&cx, twx_store_key(db, &key));
    twx_db_close(db);
    return key;
}

TEST(a_store_keeps_its_number) {
    const char *path = store_of("keeps.db", SCRIPT);
    const uint64_t key = key_of(path);
    assert_true(key_of(path) == key);
    assert_true(test_integer_in(path, "SELECT count(*) FROM twindex_store_key") == 1);
    assert_true((uint64_t)test_integer_in(path, "SELECT key FROM twindex_store_key") == key);
    assert_true(key_of(store_of("another.db", SCRIPT)) != key);
}

TEST(a_row_that_is_lost_is_drawn_again) {
    const char *path = store_of("lost.db", SCRIPT);
    const uint64_t key = key_of(path);
    test_exec_in(path, "DELETE FROM twindex_store_key");
    const uint64_t other = key_of(path);
    assert_true(other != key && key_of(path) == other);
    test_exec_in(path, "DROP TABLE twindex_store_key");
    assert_true(key_of(path) != other);
}

TEST(a_table_that_takes_no_row_is_refused) {
    const char *path = store_of("refused.db", SCRIPT);
    uint64_t key = 0;
    twx_ctx cx = {0};
    test_exec_in(path, "CREATE TABLE twindex_store_key(one, key CHECK (key IS NULL)); "
                       "INSERT INTO twindex_store_key VALUES (1, NULL)");
    twx_db *db = open_as(&cx, path, TWX_DB_OWNER);
    expect_fail(&cx, twx_store_key(db, &key), TWX_E_CORRUPT,
                "twindex_store_key cannot be given a row");
    twx_db_close(db);
}
