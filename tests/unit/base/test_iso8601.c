/* base/numbers.c: dates of crawlers. The oracle for what is a date is SQLite's strftime(), for all
 * forms that it knows, too; the others are a table of their own. */
#include "support.h"

#include <sqlite3.h>

#include "base/base.h"

static bool parse(const char *text, int64_t *ret_seconds) {
    return twx_iso8601_parse((twx_slice){text, strlen(text)}, ret_seconds);
}

/* false: SQLite takes it for no date, or for another day than the one that it names (30 February
 * is 1 or 2 March). Years from 1000 on: SQLite 3.40 takes 1 March 300 for 29 February. */
static bool parse_as_sqlite(sqlite3 *db, const char *text, int64_t *ret_seconds) {
    sqlite3_stmt *stmt = NULL;
    assert_ok(sqlite3_prepare_v2(db,
                                 "SELECT strftime('%s', ?1), date(substr(?1, 1, 10), '+0 days') IS "
                                 "substr(?1, 1, 10) WHERE strftime('%s', ?1) IS NOT NULL",
                                 -1, &stmt, NULL));
    sqlite3_bind_text(stmt, 1, text, -1, SQLITE_STATIC);
    const bool is = sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_int(stmt, 1);
    *ret_seconds = is ? sqlite3_column_int64(stmt, 0) : 0;
    sqlite3_finalize(stmt);
    return is;
}

TEST(dates_are_those_of_sqlite) {
    static const char *const ZONES[] = {"", "Z", "z", "+13:45", "-05:30"};
    test_rng rng = test_rng_seed(8601);
    sqlite3 *db = NULL;
    size_t dates = 0, others = 0;
    assert_ok(sqlite3_open(":memory:", &db));
    for (int i = 0; i < (TEST_SANITIZED ? 20000 : 200000); i++) {
        char text[80];
        const int year = i % 2 ? 1000 + (int)test_rng_below(&rng, 9000)
                               : 1900 + (int)test_rng_below(&rng, 130);
        int n = snprintf(text, sizeof text, "%04d-%02zu-%02zu", year, test_rng_below(&rng, 14),
                         test_rng_below(&rng, 33));
        if (test_rng_below(&rng, 4))
            n += snprintf(text + n, sizeof text - (size_t)n, "%c%02zu:%02zu:%02zu%s%s",
                          test_rng_below(&rng, 2) ? 'T' : ' ', test_rng_below(&rng, 24),
                          test_rng_below(&rng, 61), test_rng_below(&rng, 60),
                          test_rng_below(&rng, 3) ? "" : ".25", ZONES[test_rng_below(&rng, 5)]);
        int64_t ours = 0, theirs = 0;
        const bool is = parse_as_sqlite(db, text, &theirs);
        if (parse(text, &ours) != is || (is && ours != theirs))
            fail_msg("'%s': %" PRId64 ", SQLite: %s %" PRId64, text, ours, is ? "" : "no date",
                     theirs);
        dates += is;
        others += !is;
    }
    assert_true(dates > others / 4 && others > dates / 4);
    sqlite3_close(db);
}

/* Forms of which SQLite knows no meaning, or another one; the seconds are those of date(1). */
TEST(other_forms) {
    static const struct {
        const char *text;
        int64_t seconds;
    } ROWS[] = {
        {"20260102030405", 1767323045},
        {" 2026-01-02 ", 1767312000},
        {"2026-01-02t03:04Z", 1767323040},
        {"2026-01-02T03:04:05,5Z", 1767323045},
        {"2026-01-02 03:04:05 +0100", 1767319445},
        {"2026-01-02T03:04:05+01", 1767319445},
        {"2026-01-02T03:04:05-01:30", 1767328445},
        {"2016-12-31T23:59:60Z", 1483228800},
        {"1900-02-28", -2203977600},
        {"2000-02-29", 951782400},
        {"2024-02-29", 1709164800},
    };
    /* clang-format off */
    static const char *const OTHERS[] = {
        "1900-02-29", "2023-02-29", "0000-01-01", "2026-01-02T03:04:05+24:00",
        "2026-01-02T03:04:05+01:60", "2026-01-02T03:04:05+1", "2026-01-02T03:04:05+01:",
        "2026-01-02T03:04:05+01:3", "2026-01-02T03:04:05 UTC", "2026-01-02T03:04:61",
        "2026-01-02T03:60:00", "2026-01-02T24:00:00", "2026-01-02T03", "2026-01-02T03:",
        "2026-01-02T03:04:", "2026-01-02T", "2026-01-02X03:04:05", "2026-01-02Z", "2026-13-01",
        "2026-00-01", "2026-01-00", "2026-1-2", "2026-01", "2026/01/02", "20260102",
        "2026010203040", "20261302030405", "2026010203040x", ""};
    /* clang-format on */
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++) {
        int64_t seconds = -1;
        if (!parse(ROWS[i].text, &seconds) || seconds != ROWS[i].seconds)
            fail_msg("'%s': %" PRId64 ", wanted %" PRId64, ROWS[i].text, seconds, ROWS[i].seconds);
    }
    for (size_t i = 0; i < TWX_COUNTOF(OTHERS); i++) {
        int64_t seconds = -1;
        if (parse(OTHERS[i], &seconds)) fail_msg("'%s' is no date", OTHERS[i]);
    }
}

TEST(a_day_has_no_time) {
    assert_true(twx_iso8601_is_day(TWX_SLICE_LIT("2026-01-02")));
    assert_true(twx_iso8601_is_day(TWX_SLICE_LIT(" 2026-01-02\n")));
    assert_false(twx_iso8601_is_day(TWX_SLICE_LIT("2026-01-02T00:00")));
    assert_false(twx_iso8601_is_day(TWX_SLICE_LIT("20260102000000")));
}
