/* store/flag_views.c: what was put is read back in order; what is cleared is gone, and nothing
 * else. */
#include "store_fixture.h"

enum { LIST_BYTES = 200 };

static twx_rc list_count(void *arg, const twx_site_count *count) {
    char *list = arg;
    const size_t n = strlen(list);
    snprintf(list + n, LIST_BYTES - n, TWX_SLICE_FMT "=%d ", TWX_SLICE_ARG(count->site),
             (int)count->documents);
    return TWX_OK;
}

static void expect_counts(twx_ctx *cx, twx_db *db, char generation, const char *expected) {
    char list[LIST_BYTES] = "";
    expect_ok(cx, twx_site_counts_each(db, generation, list_count, list));
    assert_string_equal(list, expected);
}

TEST(counts_are_of_a_generation) {
    const twx_site_count TWO[] = {{TWX_SLICE_LIT("b.org"), 3}, {TWX_SLICE_LIT("a.org"), 5}},
                         ONE[] = {{TWX_SLICE_LIT("c.org"), UINT32_MAX >> 1}};
    twx_ctx cx;
    twx_db *db = open_migrated(&cx, store_of("sites.db", "CREATE TABLE t(x)"));
    expect_ok(&cx, twx_site_counts_put(db, 'a', TWO, 2));
    expect_ok(&cx, twx_site_counts_put(db, 'b', ONE, 1));
    expect_counts(&cx, db, 'a', "a.org=5 b.org=3 ");
    expect_ok(&cx, twx_site_counts_clear(db, 'a'));
    expect_counts(&cx, db, 'a', "");
    expect_counts(&cx, db, 'b', "c.org=2147483647 ");
    twx_db_close(db);
}

TEST(a_count_that_is_none_is_an_error) {
    static const char *const VALUES[] = {"-1", "4294967296", "'many'", "1.5"};
    const twx_site_count ONE[] = {{TWX_SLICE_LIT("c.org"), 1}};
    twx_ctx cx;
    twx_db *db = open_migrated(&cx, store_of("sites.db", "CREATE TABLE t(x)"));
    expect_ok(&cx, twx_site_counts_put(db, 'a', ONE, 1));
    for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++) {
        char sql[100], list[LIST_BYTES] = "";
        snprintf(sql, sizeof sql, "UPDATE twindex_site SET documents = %s", VALUES[i]);
        test_exec(db->handle, sql);
        expect_fail(&cx, twx_site_counts_each(db, 'a', list_count, list), TWX_E_CORRUPT,
                    "site 'c.org' has no valid number");
    }
    twx_db_close(db);
}
