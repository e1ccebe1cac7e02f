/* base/slice: borrowed bytes that may be absent, empty, or hold NUL. */
#include "support.h"

#include "base/base.h"

static const twx_slice ABSENT = {NULL, 0};

static twx_slice lit(const char *text) {
    return twx_slice_of(text);
}

TEST(of_null_is_absent_and_of_empty_is_not) {
    assert_null(twx_slice_of(NULL).p);
    assert_int_equal(twx_slice_of(NULL).n, 0);
    assert_non_null(twx_slice_of("").p);
    assert_int_equal(twx_slice_of("").n, 0);
    assert_int_equal(TWX_SLICE_LIT("a\0b").n, 3);
}

TEST(eq_compares_bytes_and_not_addresses) {
    char copy[] = "a\0b";
    assert_true(twx_slice_eq(TWX_SLICE_LIT("a\0b"), (twx_slice){copy, 3}));
    assert_false(twx_slice_eq(TWX_SLICE_LIT("a\0b"), TWX_SLICE_LIT("a\0c")));
    assert_false(twx_slice_eq(lit("a"), lit("ab")));
    assert_true(twx_slice_eq(ABSENT, lit(""))); /* no bytes in both cases; p distinguishes them */
    assert_true(twx_slice_eq(ABSENT, ABSENT));
}

/* ascending by unsigned bytes, a prefix first */
static const char *const ORDERED[] = {"",  "A",    "a",    "aa",   "ab",
                                      "b", "\x7f", "\x80", "\xff", "\xff\x01"};

TEST(cmp_is_the_order_of_unsigned_bytes_then_length) {
    for (size_t i = 0; i < TWX_COUNTOF(ORDERED); i++)
        for (size_t j = 0; j < TWX_COUNTOF(ORDERED); j++) {
            int order = twx_slice_cmp(lit(ORDERED[i]), lit(ORDERED[j]));
            assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
        }
    assert_int_equal(twx_slice_cmp(ABSENT, lit("")), 0);
    assert_true(twx_slice_cmp(ABSENT, lit("a")) < 0);
    assert_true(twx_slice_cmp(lit("a"), ABSENT) > 0);
}

TEST(nocase_folds_ascii_letters_only) {
    assert_true(twx_slice_eq_nocase(lit("NoIndex"), lit("nOiNDEX")));
    assert_false(twx_slice_eq_nocase(lit("noindex"), lit("noindex,")));
    assert_false(twx_slice_eq_nocase(lit("\xC3\x84"), lit("\xC3\xA4"))); /* A, a with diaeresis */
    assert_false(twx_slice_eq_nocase(lit("@"), lit("`"))); /* the neighbours of A and a */
    assert_false(twx_slice_eq_nocase(lit("["), lit("{")));
    assert_true(twx_slice_eq_nocase(ABSENT, lit("")));
}

TEST(starts_with_a_prefix) {
    assert_true(twx_slice_starts(lit("https://x"), lit("https:")));
    assert_false(twx_slice_starts(lit("HTTPS://x"), lit("https:")));
    assert_true(twx_slice_starts_nocase(lit("HTTPS://x"), lit("https:")));
    assert_false(twx_slice_starts(lit("http"), lit("https")));
    assert_false(twx_slice_starts_nocase(lit("http"), lit("https")));
    assert_true(twx_slice_starts(lit("x"), ABSENT));
    assert_true(twx_slice_starts(ABSENT, lit("")));
    assert_false(twx_slice_starts(ABSENT, lit("x")));
}

TEST(trim_takes_ascii_white_space_off_both_ends) {
    assert_true(twx_slice_eq(twx_slice_trim(lit(" \t\n\v\f\ra b \r\n")), lit("a b")));
    assert_int_equal(twx_slice_trim(lit(" \n ")).n, 0);
    assert_non_null(twx_slice_trim(lit(" ")).p); /* empty, not absent */
    assert_null(twx_slice_trim(ABSENT).p);
    assert_int_equal(twx_slice_trim(lit("\xC2\xA0x")).n, 3); /* a no-break space stays */
}

TEST(sub_is_clipped_for_every_pair_of_ends) {
    const twx_slice s = lit("abc");
    for (size_t from = 0; from < 6; from++)
        for (size_t to = 0; to < 6; to++) {
            twx_slice part = twx_slice_sub(s, from, to);
            size_t end = to < 3 ? to : 3, start = from < end ? from : end;
            assert_int_equal(part.n, end - start);
            assert_ptr_equal(part.p, s.p + start);
        }
    assert_int_equal(twx_slice_sub(s, SIZE_MAX, SIZE_MAX).n, 0);
    assert_null(twx_slice_sub(ABSENT, 0, 5).p);
}

TEST(find_gives_the_index_or_the_length) {
    const twx_slice s = TWX_SLICE_LIT("a?\0?");
    assert_int_equal(twx_slice_find(s, '?', 0), 1);
    assert_int_equal(twx_slice_find(s, '?', 1), 1);
    assert_int_equal(twx_slice_find(s, '?', 2), 3);
    assert_int_equal(twx_slice_find(s, '\0', 0), 2);
    assert_int_equal(twx_slice_find(s, '#', 0), 4);
    assert_int_equal(twx_slice_find(s, '?', 4), 4);
    assert_int_equal(twx_slice_find(s, '?', SIZE_MAX), 4);
    assert_int_equal(twx_slice_find(ABSENT, '?', 0), 0);
}

TEST(lines_are_taken_one_by_one) {
    static const char *const LINES[] = {"one", "", "two\r", "last"};
    twx_slice rest = twx_slice_of("one\n\ntwo\r\nlast");
    for (size_t i = 0; i < TWX_COUNTOF(LINES); i++) {
        assert_true(rest.n > 0);
        assert_true(twx_slice_eq(twx_slice_next_line(&rest), twx_slice_of(LINES[i])));
    }
    assert_int_equal(rest.n, 0);
    assert_int_equal(twx_slice_next_line(&rest).n, 0);
    rest = twx_slice_of("ended\n");
    assert_true(twx_slice_eq(twx_slice_next_line(&rest), twx_slice_of("ended")));
    assert_int_equal(rest.n, 0);
}

TEST(classes_hold_for_all_256_bytes) {
    for (int c = 0; c < 256; c++) {
        unsigned char u = (unsigned char)c;
        bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z',
             digit = c >= '0' && c <= '9';
        const char *hex = c ? strchr("0123456789abcdefABCDEF", c) : NULL;
        assert_int_equal(twx_is_space(u), c == ' ' || (c >= 9 && c <= 13));
        assert_int_equal(twx_is_alpha(u), upper || lower);
        assert_int_equal(twx_is_digit(u), digit);
        int value = hex ? digit ? c - '0' : (c | 0x20) - 'a' + 10 : -1;
        assert_int_equal(twx_hex_value(u), value);
        assert_int_equal(twx_lower((char)u), upper ? c + 32 : (char)c);
    }
}

TEST(percent_escapes_are_two_hex_digits) {
    const twx_slice s = TWX_SLICE_LIT("%41%e9%4g%4");
    assert_int_equal(twx_percent_value(s, 0), 'A');
    assert_int_equal(twx_percent_value(s, 1), -1);
    assert_int_equal(twx_percent_value(s, 3), 0xE9);
    assert_int_equal(twx_percent_value(s, 6), -1);
    assert_int_equal(twx_percent_value(s, 9), -1);
}

TEST(words_of_a_list_are_found_in_any_case) {
    const twx_slice list = TWX_SLICE_LIT(" Nofollow\tNOINDEX ");
    assert_true(twx_slice_has_word(list, TWX_SLICE_LIT("noindex")));
    assert_false(twx_slice_has_word(list, TWX_SLICE_LIT("index")));
    assert_false(twx_slice_has_word((twx_slice){NULL, 0}, TWX_SLICE_LIT("noindex")));
}

TEST(integers_are_digits_and_nothing_else) {
    static const struct {
        const char *text;
        int64_t value;
    } GOOD[] = {{"0", 0},
                {" 42\n", 42},
                {"-7", -7},
                {"999999999999999999", 999999999999999999},
                {"007", 7}};
    static const char *const BAD[] = {
        "", "-", "--1", "1.0", "1e3", "+1", "1 2", "1234567890123456789", "x"};
    for (size_t i = 0; i < TWX_COUNTOF(GOOD); i++) {
        int64_t v = -99;
        assert_true(twx_slice_integer(twx_slice_of(GOOD[i].text), &v));
        assert_int_equal(v, GOOD[i].value);
    }
    for (size_t i = 0; i < TWX_COUNTOF(BAD); i++) {
        int64_t v = -99;
        assert_false(twx_slice_integer(twx_slice_of(BAD[i]), &v));
        assert_int_equal(v, -99);
    }
}
