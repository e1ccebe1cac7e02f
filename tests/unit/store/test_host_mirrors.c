/* store/flag_views.c: twindex_host_mirror is replaced as a whole, and only when it differs. */
#include "store_fixture.h"

static const char ALL[] =
    "SELECT group_concat(host || '>' || mirror_of || ' ' || level || ' ' || shared || '/' || "
    "documents || ' ' || ratio, ', ') FROM twindex_host_mirror";

static twx_host_mirror row(const char *host, const char *mirror_of) {
    return (twx_host_mirror){.host = twx_slice_of(host),
                             .mirror_of = twx_slice_of(mirror_of),
                             .level = "exact",
                             .shared = 9,
                             .documents = 10,
                             .ratio_ppm = 900000};
}

static void expect_keep(twx_ctx *cx, twx_db *db, const twx_host_mirror *rows, size_t n,
                        bool wanted) {
    bool written = !wanted;
    expect_ok(cx, twx_host_mirrors_keep(db, rows, n, &written));
    assert_int_equal(written, wanted);
}

TEST(rows_are_kept_and_replaced) {
    twx_ctx cx;
    const char *path = test_file("mirrors.db");
    store_of("mirrors.db", "CREATE TABLE pages(x)");
    twx_db *db = open_migrated(&cx, path);
    const twx_host_mirror two[] = {row("b", "a"), row("c", "a")};
    expect_keep(&cx, db, two, 2, true);
    assert_string_equal(text_in(path, ALL), "b>a exact 9/10 0.9, c>a exact 9/10 0.9");
    expect_keep(&cx, db, two + 1, 1, true);
    assert_string_equal(text_in(path, ALL), "c>a exact 9/10 0.9");
    expect_keep(&cx, db, NULL, 0, true);
    assert_string_equal(text_in(path, ALL), "NULL");
    expect_keep(&cx, db, NULL, 0, false);
    twx_db_close(db);
}

/* Whichever column differs. */
TEST(r1_only_what_differs_is_written) {
    twx_ctx cx;
    twx_db *db = open_migrated(&cx, store_of("mirrors.db", "CREATE TABLE pages(x)"));
    twx_host_mirror rows[] = {row("b", "a"), row("c", "a")};
    expect_keep(&cx, db, rows, 2, true);
    expect_keep(&cx, db, rows, 2, false);
    expect_keep(&cx, db, rows, 1, true); /* one less */
    expect_keep(&cx, db, rows, 2, true); /* one more */
    rows[1].host = TWX_SLICE_LIT("d");
    expect_keep(&cx, db, rows, 2, true);
    rows[1].mirror_of = TWX_SLICE_LIT("b");
    expect_keep(&cx, db, rows, 2, true);
    rows[1].level = "near";
    expect_keep(&cx, db, rows, 2, true);
    rows[1].shared = 8;
    expect_keep(&cx, db, rows, 2, true);
    rows[1].documents = 11;
    expect_keep(&cx, db, rows, 2, true);
    /* 0 and 1 are kept as numbers with a point, too */
    for (uint32_t ppm = 0; ppm <= 1000000; ppm += 90909) {
        rows[1].ratio_ppm = ppm;
        expect_keep(&cx, db, rows, 2, true);
        expect_keep(&cx, db, rows, 2, false);
    }
    rows[1].ratio_ppm = 1000000;
    expect_keep(&cx, db, rows, 2, true);
    expect_keep(&cx, db, rows, 2, false);
    twx_db_close(db);
}

TEST(r1_a_failure_leaves_the_old_rows) {
    twx_ctx cx;
    bool written = false;
    const char *path = test_file("mirrors.db");
    store_of("mirrors.db", "CREATE TABLE pages(x)");
    twx_db *db = open_migrated(&cx, path);
    const twx_host_mirror good[] = {row("b", "a")}, bad[] = {row("x", "a"), row("x", "a")};
    expect_keep(&cx, db, good, 1, true);
    expect_fail(&cx, twx_host_mirrors_keep(db, bad, 2, &written), TWX_E_DATA, "UNIQUE");
    assert_string_equal(text_in(path, ALL), "b>a exact 9/10 0.9");
    expect_keep(&cx, db, good, 1, false);
    twx_db_close(db);
}
