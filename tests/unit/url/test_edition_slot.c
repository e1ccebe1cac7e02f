#include "url_fixture.h"

static twx_edition edition(const char *text) {
    twx_edition e = {0};
    if (!twx_edition_of(twx_slice_of(text), &e)) fail_msg("'%s' is no edition", text);
    return e;
}

TEST(versions_are_in_order) {
    static const char *const ORDER[] = {"0.9",    "v1",       "1.0.1", "1.2",   "1.9.3", "1.10",
                                        "1_81_0", "v2",       "2.1",   "2.1.x", "3.0.5", "7.4",
                                        "buster", "bookworm", "15.X",  "18.1",  "jammy", "22.10"};
    for (size_t i = 0; i < TWX_COUNTOF(ORDER); i++) {
        assert_int_equal(edition(ORDER[i]).kind, TWX_EDITION_VERSION);
        if (i > 0 && edition(ORDER[i - 1]).order >= edition(ORDER[i]).order)
            fail_msg("%s does not precede %s", ORDER[i - 1], ORDER[i]);
    }
}

TEST(numbers_years_and_dates_may_be_anything) {
    static const char *const ORDER[] = {"3",    "5b2",  "12",      "v60",       "107",
                                        "1999", "2023", "2023-05", "2024-01-31"};
    for (size_t i = 0; i < TWX_COUNTOF(ORDER); i++) {
        assert_int_equal(edition(ORDER[i]).kind, TWX_EDITION_PLAIN);
        if (i > 0) assert_true(edition(ORDER[i - 1]).order < edition(ORDER[i]).order);
    }
}

TEST(names_and_prereleases) {
    static const char *const UNRELEASED[] = {"main",  "Next",    "nightly",  "2.0-rc1",
                                             "1.0b2", "3.0.dev", "unstable", "2.0_rc1"};
    static const char *const RELEASED[] = {"2.0-lts", "5.1.Final", "4.0.0.RELEASE"};
    assert_int_equal(edition("latest").kind, TWX_EDITION_LATEST);
    assert_int_equal(edition("Stable").kind, TWX_EDITION_LATEST);
    for (size_t i = 0; i < TWX_COUNTOF(UNRELEASED); i++)
        assert_int_equal(edition(UNRELEASED[i]).kind, TWX_EDITION_UNRELEASED);
    for (size_t i = 0; i < TWX_COUNTOF(RELEASED); i++)
        assert_int_equal(edition(RELEASED[i]).kind, TWX_EDITION_VERSION);
}

TEST(other_texts_name_no_edition) {
    /* clang-format off */
    static const char *const TEXTS[] = {
        "", "x", "install", "v", "vv2", "1.2.y", "12345", "1.", "mp3", "1-2", "a.b", "2.0zeta",
        "99999.1", "1.99999", "1.2/3", "-1.2", "~1.2", "\u0968.\u0967", "1.2.3.4.x",
        "1.2.3.4.5.6.7.8.9.10.11.12.13", "5_rc", "5.rc1", "2023-13", "2123-05", "1823-05",
        "3023-05", "2024-00-11", "2024-03-32", "2024-03-31-1", "2024-03x", "2024-xx-xx"};
    /* clang-format on */
    twx_edition e;
    for (size_t i = 0; i < TWX_COUNTOF(TEXTS); i++)
        if (twx_edition_of(twx_slice_of(TEXTS[i]), &e)) fail_msg("'%s' is an edition", TEXTS[i]);
}

/* "VALUE rest of the URL", for each place. */
static void expect_places(const char *url, const char *const expected[]) {
    twx_edition_slot slots[TWX_EDITION_SLOTS_MAX];
    const twx_slice u = twx_slice_of(url);
    const size_t n = twx_url_edition_slots(u, slots);
    size_t k = 0;
    for (; k < n && expected[k]; k++) {
        char is[300];
        snprintf(is, sizeof is, TWX_SLICE_FMT " " TWX_SLICE_FMT TWX_SLICE_FMT,
                 TWX_SLICE_ARG(slots[k].value), TWX_SLICE_ARG(twx_slice_sub(u, 0, slots[k].from)),
                 TWX_SLICE_ARG(twx_slice_sub(u, slots[k].to, u.n)));
        assert_string_equal(is, expected[k]);
    }
    if (k < n || expected[k]) fail_msg("%s has %zu places", url, n);
}

TEST(places_of_urls) {
#define EXPECT(url, ...) expect_places(url, (const char *const[]){__VA_ARGS__})
    EXPECT("https://d.example/docs/2.1/tour", "2.1 https://d.example/docs/tour", NULL);
    EXPECT("https://d.example/docs/2.1/", "2.1 https://d.example/docs/", NULL);
    EXPECT("https://d.example/docs/2.1", "2.1 https://d.example/docs/", NULL);
    EXPECT("https://d.example/llvm-15/x.html", "15 https://d.example/llvm/x.html", NULL);
    EXPECT("https://d.example/python3.11/x", "3.11 https://d.example/python/x", NULL);
    EXPECT("https://d.example/guide-latest/x", "latest https://d.example/guide/x", NULL);
    EXPECT("https://v2.d.example/x", "v2 https://d.example/x", NULL);
    EXPECT("https://d.example/x?version=2.1&q=3", "2.1 https://d.example/x?&q=3", NULL);
    EXPECT("https://d.example?ver=2.1", "2.1 https://d.example?", NULL);
    EXPECT("https://d.example/2.0/api/v2/users", "2.0 https://d.example/api/v2/users",
           "v2 https://d.example/2.0/api/users", NULL);
    EXPECT("https://d.example/mp3/x", NULL);
    EXPECT("https://d.example/line/12/times", NULL);
    EXPECT("https://d.example/room-101/view", NULL);
    EXPECT("https://d.example/chapter/2.1/x", "2.1 https://d.example/chapter/x", NULL);
    EXPECT("https://d.example/x/12", NULL); /* the page itself */
    EXPECT("https://d.example/tool-2.1.html", NULL);
    EXPECT("https://d.example/", NULL);
    EXPECT("https://d.example", NULL);
    EXPECT("ftp://d.example/docs/2.1/tour", NULL);
    EXPECT("2.1", NULL);
    EXPECT("", NULL);
    EXPECT("https://d.example/1.1/1.2/1.3/1.4/1.5/1.6/1.7/x",
           "1.1 https://d.example/1.2/1.3/1.4/1.5/1.6/1.7/x",
           "1.2 https://d.example/1.1/1.3/1.4/1.5/1.6/1.7/x",
           "1.3 https://d.example/1.1/1.2/1.4/1.5/1.6/1.7/x",
           "1.4 https://d.example/1.1/1.2/1.3/1.5/1.6/1.7/x",
           "1.5 https://d.example/1.1/1.2/1.3/1.4/1.6/1.7/x",
           "1.6 https://d.example/1.1/1.2/1.3/1.4/1.5/1.7/x", NULL); /* no more */
#undef EXPECT
}

/* A text that does not fit into a number has a number of its own. */
TEST(texts_of_editions_are_numbers) {
    static const char *const TEXTS[] = {"2.0-rc1",         "bookworm",           "2024-03-31",
                                        "11-letters.",     "ice-cream-sandwich", "ice-cream-sundae",
                                        "gr\u00fc\u00dfe", "gr\u00f6\u00dfe"};
    char all[TWX_COUNTOF(TEXTS)][TWX_EDITION_NUMBER_TEXT];
    for (size_t i = 0; i < TWX_COUNTOF(TEXTS); i++) {
        twx_edition_text(twx_edition_number(TEXTS[i]), all[i]);
        if (i < 4) assert_string_equal(all[i], TEXTS[i]);
        for (size_t k = 0; k < i; k++) assert_string_not_equal(all[k], all[i]);
    }
    twx_edition_text(INT64_MAX, all[0]);
    assert_int_equal(strlen(all[0]), TWX_EDITION_NUMBER_TEXT - 1);
    assert_memory_equal(all[4], "ice-cre_", 8);
    assert_memory_equal(all[6], "gr____e_", 8);
}

/* The key is that of the place, whatever the value, the scheme and www. are. */
TEST(one_place_has_one_key) {
    static const char *const SAME[] = {"https://d.example/docs/2.1/tour",
                                       "http://d.example/docs/next/x",
                                       "https://www.d.example/docs/3.0/y/z"};
    static const char *const OTHERS[] = {"https://e.example/docs/2.1/tour",
                                         "https://d.example/2.1/tour",
                                         "https://d.example/docs/b-2.1/tour"};
    twx_edition_slot first[TWX_EDITION_SLOTS_MAX], slots[TWX_EDITION_SLOTS_MAX];
    assert_int_equal(twx_url_edition_slots(twx_slice_of(SAME[0]), first), 1);
    for (size_t i = 1; i < TWX_COUNTOF(SAME); i++) {
        assert_int_equal(twx_url_edition_slots(twx_slice_of(SAME[i]), slots), 1);
        assert_true(slots[0].key == first[0].key);
    }
    for (size_t i = 0; i < TWX_COUNTOF(OTHERS); i++) {
        assert_int_equal(twx_url_edition_slots(twx_slice_of(OTHERS[i]), slots), 1);
        assert_true(slots[0].key != first[0].key);
    }
}
