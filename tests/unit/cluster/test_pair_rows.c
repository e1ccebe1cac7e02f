/* cluster/verify.c: rows of pairs in both formats, cut anywhere, damaged, and random bytes. The
 * rows are also read from and by ClickHouse itself (scripts/test-cluster). */
#include "support.h"

#include "cluster/cluster.h"

static twx_ctx cx;
static twx_buf unescaped;

static void setup(void) {
    twx_ctx_init(&cx);
    twx_buf_init(&unescaped, TWX_PAIR_ROW_MAX);
}

static void teardown(void) {
    twx_buf_done(&unescaped);
}

static twx_rc next(const twx_pair_layout *layout, twx_slice *rest, twx_pair_row *ret_row) {
    twx_ctx_clear(&cx);
    return twx_pair_row_next(&cx, layout, rest, &unescaped, ret_row);
}

static void assert_bytes(twx_slice found, const char *bytes, size_t n) {
    assert_int_equal(found.n, n);
    assert_memory_equal(found.p, bytes, n);
}

/* Every proper prefix is an incomplete row and consumes nothing. */
static void each_prefix_is_incomplete(const twx_pair_layout *layout, twx_slice row) {
    for (size_t n = 0; n < row.n; n++) {
        char *exact = malloc(n + 1); /* no slack for a sanitizer to miss */
        twx_slice rest = {exact + 1, n};
        twx_pair_row read;
        assert_non_null(exact);
        memcpy(exact + 1, row.p, n);
        assert_int_equal(next(layout, &rest, &read), TWX_DONE);
        assert_int_equal(rest.n, n);
        free(exact);
    }
}

TEST(r1_rows_of_row_binary) {
    static const char ROWS[] = "\x07\0\0\0\0\0\0\x01" /* number */
                               "\x03"
                               "a\0b"
                               "\x00"
                               "\x01";
    const twx_pair_layout all = {.numbered = true, .named = true}, plain = {0};
    twx_slice rest = {ROWS, sizeof ROWS - 1};
    twx_pair_row row;
    each_prefix_is_incomplete(&all, rest);
    assert_ok(next(&all, &rest, &row));
    assert_true(row.number == 0x0100000000000007 && row.equal_names && rest.n == 0);
    assert_bytes(row.a, "a\0b", 3);
    assert_bytes(row.b, "", 0);
    rest = (twx_slice){ROWS + 8, 5};
    assert_ok(next(&plain, &rest, &row));
    assert_true(row.number == 0 && !row.equal_names && rest.n == 0);
}

TEST(r1_rows_of_tabs) {
    static const char ROWS[] =
        "18446744073709551615\ta\\0\\t\\n\\\\\\'\\b\\f\\r\t\t1\n5\tx\ty\t0\n";
    const twx_pair_layout all = {.tabs = true, .numbered = true, .named = true};
    twx_slice rest = {ROWS, sizeof ROWS - 1};
    twx_pair_row row;
    each_prefix_is_incomplete(&all, twx_slice_sub(rest, 0, twx_slice_find(rest, '\n', 0)));
    assert_ok(next(&all, &rest, &row));
    assert_true(row.number == UINT64_MAX && row.equal_names);
    assert_bytes(row.a, "a\0\t\n\\'\b\f\r", 9);
    assert_bytes(row.b, "", 0);
    assert_ok(next(&all, &rest, &row));
    assert_true(row.number == 5 && !row.equal_names && rest.n == 0);
    assert_bytes(row.b, "y", 1);
}

TEST(damaged_rows_are_named) {
    static const struct {
        twx_pair_layout layout;
        const char *row, *message;
    } CASES[] = {
        {{.tabs = true}, "a\n", "1 columns instead of 2"},
        {{.tabs = true}, "a\tb\tc\n", "3 columns instead of 2"},
        {{.tabs = true}, "a\tb\tc\td\te\tf\n", "6 columns instead of 2"},
        {{.tabs = true}, "a\\x\tb\n", "a backslash before"},
        {{.tabs = true}, "a\\\tb\n", "a backslash before"},
        {{.tabs = true, .numbered = true}, "-1\ta\tb\n", "'-1' is not a UInt64"},
        {{.tabs = true, .numbered = true}, "18446744073709551616\ta\tb\n", "is not a UInt64"},
        {{.tabs = true, .named = true}, "a\tb\t\n", "'' is not a UInt64"},
        {{0}, "\x81\x80\xC0\x01", "longer than 1048576 bytes"},
        {{0}, "\x80\x80\x80\x80\x01", "longer than 1048576 bytes"},
    };
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        twx_slice rest = twx_slice_of(CASES[i].row);
        twx_pair_row row;
        if (next(&CASES[i].layout, &rest, &row) != TWX_E_DATA ||
            !strstr(cx.message, CASES[i].message))
            fail_msg("row %zu: %s", i, cx.message);
    }
}

TEST(endless_rows_are_refused) {
    static char bytes[TWX_PAIR_ROW_MAX + 1];
    const twx_pair_layout tabs = {.tabs = true};
    twx_slice rest = {bytes, sizeof bytes};
    twx_pair_row row;
    memset(bytes, 'a', sizeof bytes);
    assert_int_equal(next(&tabs, &rest, &row), TWX_E_DATA);
    assert_non_null(strstr(cx.message, "longer than"));
}

TEST(r2_random_bytes_are_read_within_their_end) {
    static const char USUAL[] = "\t\n\\0123\x01\x02\x80\xFF";
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        test_rng rng = test_rng_seed(seed);
        const twx_pair_layout layout = {.tabs = test_rng_below(&rng, 2) == 0,
                                        .numbered = test_rng_below(&rng, 2) == 0,
                                        .named = test_rng_below(&rng, 2) == 0};
        const size_t n = test_rng_below(&rng, 40);
        char *bytes = malloc(n + 1);
        twx_slice rest = {bytes + 1, n}, before = rest;
        twx_pair_row row;
        assert_non_null(bytes);
        for (size_t i = 1; i <= n; i++) bytes[i] = USUAL[test_rng_below(&rng, sizeof USUAL - 1)];
        while (rest.n > 0 && next(&layout, &rest, &row) == TWX_OK) {
            if (rest.p <= before.p || rest.p + rest.n != before.p + before.n)
                fail_msg("seed %" PRIu64 ": the rest is not the end of the input", seed);
            if (row.a.n + row.b.n > before.n) fail_msg("seed %" PRIu64, seed);
            before = rest;
        }
        free(bytes);
    }
}

TEST(answers_repeat_the_number) {
    const twx_pair_layout binary = {0}, numbered = {.numbered = true},
                          tabs = {.tabs = true, .numbered = true};
    twx_buf out = {.max = 100};
    assert_ok(twx_pair_row_answer(&cx, &binary, 9, -1, &out));
    assert_bytes(twx_buf_slice(&out), "\xFF\xFF\xFF\xFF", 4);
    twx_buf_clear(&out);
    assert_ok(twx_pair_row_answer(&cx, &numbered, 9, 1000000, &out));
    assert_bytes(twx_buf_slice(&out), "\x09\0\0\0\0\0\0\0\x40\x42\x0F\0", 12);
    twx_buf_clear(&out);
    assert_ok(twx_pair_row_answer(&cx, &tabs, UINT64_MAX, -1, &out));
    assert_string_equal(twx_buf_slice(&out).p, "18446744073709551615\t-1\n");
    twx_buf_done(&out);
}

TESTS_IN(setup, teardown);
