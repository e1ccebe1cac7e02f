/* What a document is called: words of title, headings and URL. */
#include "name_fixture.h"

static void assert_title(fixture *f, const char *title, const char *expected) {
    const twx_name_words w = name_of(f, title, NULL, NULL);
    assert_part(&w, TWX_NAME_TITLE, expected);
}

static void assert_url(fixture *f, const char *url, const char *words, const char *tail) {
    const twx_name_words w = name_of(f, "t", NULL, url);
    assert_part(&w, TWX_NAME_URL, words);
    if (w.tail != (tail ? word_of(tail) : 0)) fail_msg("the tail of '%s' is not '%s'", url, tail);
}

TEST(a_title_keeps_order_and_repeats) {
    assert_title(*state, "Duran Duran: Rio", "duran duran rio");
    assert_title(*state, "ANN Lee", "ann lee");
    assert_title(*state, "Lee & Ann", "lee ann");
    assert_title(*state, "", "");
    assert_title(*state, NULL, "");
}

TEST(versions_come_last_and_are_one_word) {
    assert_title(*state, "Django 1.8.11 documentation", "django documentation 1.8.11");
    twx_name_words w = name_of(*state, "Django 1.8.11 documentation", NULL, NULL);
    assert_int_equal(w.versions, 1);
    assert_true(w.version == (UINT64_C(1) << 32 | 8 << 16 | 11));
    w = name_of(*state, "1.10", NULL, NULL);
    assert_true(w.version > name_of(*state, "1.9", NULL, NULL).version);
    assert_int_equal(name_of(*state, "Version 7", NULL, NULL).versions, 1);
    assert_int_equal(name_of(*state, "Article 7", NULL, NULL).versions, 0);
    assert_int_equal(name_of(*state, "1.1 1.2 1.3 1.4", NULL, NULL).versions, 3);
}

TEST(case_of_a_version_does_not_count) {
    const twx_name_words upper = name_of(*state, "Tool V1.8", NULL, NULL),
                         lower = name_of(*state, "tool v1.8", NULL, NULL);
    assert_part(&upper, TWX_NAME_TITLE, "tool v1.8");
    assert_part(&lower, TWX_NAME_TITLE, "tool v1.8");
    assert_true(upper.version == lower.version && upper.version == (UINT64_C(1) << 32 | 8 << 16));
}

TEST(dates_are_no_versions) {
    const twx_name_words w = name_of(*state, "Minutes of 31.12.1999", NULL, NULL);
    assert_int_equal(w.versions, 0);
    assert_true(w.version == 0);
    assert_part(&w, TWX_NAME_TITLE, "minutes of 31.12.1999");
    assert_int_equal(name_of(*state, "Year 1999", NULL, NULL).versions, 0);
}

TEST(the_last_place_stands_for_the_rest_of_a_long_title) {
    char a[2000] = "", b[2000] = "";
    assert_int_equal(name_of(*state, "a b c d e f g h i j", NULL, NULL).n[TWX_NAME_TITLE], 10);
    assert_title(*state, "a b c d e f g h i j", "a b c d e f g h i j");
    for (int i = 0; i < 100; i++) {
        snprintf(a + strlen(a), sizeof a - strlen(a), "w%dx ", i);
        snprintf(b + strlen(b), sizeof b - strlen(b), "w%dx ", i == 99 ? 1000 : i);
    }
    strcat(a, "2.5");
    strcat(b, "2.5");
    const twx_name_words x = name_of(*state, a, NULL, NULL), y = name_of(*state, b, NULL, NULL);
    assert_int_equal(x.n[TWX_NAME_TITLE], TWX_NAME_TITLE_MAX);
    for (int i = 0; i < 8; i++) assert_int_equal(x.title[i], y.title[i]);
    assert_int_not_equal(x.title[8], y.title[8]);
    assert_int_equal(x.title[9], word_of("2.5"));
}

TEST(an_overlong_number_is_words_of_its_own) {
    char title[400] = "1";
    for (int i = 0; i < 100; i++) strcat(title, ".1");
    const twx_name_words w = name_of(*state, title, NULL, NULL);
    assert_true(w.n[TWX_NAME_TITLE] > 1 && w.n[TWX_NAME_TITLE] <= TWX_NAME_TITLE_MAX);
}

TEST(headings_keep_what_the_title_lacks) {
    twx_name_words w = name_of(*state, "My shop", "Shop\nRed bicycle red", NULL);
    assert_part(&w, TWX_NAME_HEADING, "red bicycle");
    w = name_of(*state, NULL, "a b c d e f g", NULL);
    assert_int_equal(w.n[TWX_NAME_HEADING], TWX_NAME_HEADING_MAX);
    assert_int_not_equal(w.heading[4], name_of(*state, NULL, "a b c d e f h", NULL).heading[4]);
}

/* Pages that use h1 for their sections, and an h1 that was never closed. */
TEST(the_first_headings_are_the_name) {
    char lines[400] = "one\n";
    twx_name_words w = name_of(*state, NULL, "one\ntwo\nthree\nfour", NULL);
    assert_part(&w, TWX_NAME_HEADING, "one two three");
    memset(lines + 4, 'x', 301);
    strcpy(lines + 305, "\ntwo");
    w = name_of(*state, NULL, lines, NULL);
    assert_part(&w, TWX_NAME_HEADING, "one two");
    w = name_of(*state, NULL, "\n\n\nfour", NULL);
    assert_part(&w, TWX_NAME_HEADING, "");
}

/* Names of images are one hash beside the words: they change no other part of the payload. */
TEST(shown_is_a_hash_of_the_names) {
    const char *const url = "http://a/chair/saddle.html";
    const twx_name_words none = shown_name_of(*state, "Shop 1.8", "Chair", "", url),
                         hare = shown_name_of(*state, "Shop 1.8", "Chair", "A hare\n17", url),
                         hedge = shown_name_of(*state, "Shop 1.8", "Chair", "A hedgehog", url);
    assert_int_equal(none.shown, 0);
    assert_int_equal(hare.shown, twx_hash64(TWX_SLICE_LIT("A hare\n17"), 0) >> 40);
    assert_int_not_equal(hare.shown, hedge.shown);
    twx_name_words w = hare;
    w.shown = 0;
    assert_memory_equal(&w, &none, sizeof w);
}

/* "1.8" of the title is "1.8" of the heading, neither "1" nor "8". */
TEST(a_version_in_title_and_heading_is_one_word) {
    twx_name_words w = name_of(*state, "Django 1.8", "Django 1.8", NULL);
    assert_part(&w, TWX_NAME_HEADING, "");
    w = name_of(*state, "Django", "Django V1.8 notes", NULL);
    assert_part(&w, TWX_NAME_HEADING, "v1.8 notes");
}

TEST(url_words_are_of_the_last_segment_that_has_any) {
    assert_url(*state, "http://h.example/a/red-bicycle.html", "red bicycle", "red-bicycle");
    assert_url(*state, "http://h.example/tools/17", "tools", "17");
    assert_url(*state, "http://h.example/one/two/17", "two", "17");
    assert_url(*state, "http://h.example/one/17/18", "", "18");
    assert_url(*state, "http://h.example/", "", NULL);
    assert_int_equal(name_of(*state, "t", NULL, NULL).tail, 0);
}

TEST(url_extensions_are_no_words) {
    assert_url(*state, "http://h.example/install.rst.txt", "install", "install");
    assert_url(*state, "http://h.example/install.html.en", "install", "install");
    assert_url(*state, "http://h.example/Install.shtml", "install", "install");
    assert_url(*state, "http://h.example/install", "install", "install");
    assert_url(*state, "http://h.example/guide/.html", "html", ".html"); /* nothing else is left */
}

TEST(index_pages_and_roles_are_no_names) {
    assert_url(*state, "http://h.example/guide/index.html", "guide", "guide");
    assert_url(*state, "http://h.example/guide/print", "guide", "guide");
    assert_url(*state, "http://h.example/guide/", "guide", "guide");
}

TEST(url_words_are_decoded_and_have_no_digits) {
    assert_url(*state, "http://h.example/caf%C3%A9-rouge", "caf\xC3\xA9 rouge", "caf%c3%a9-rouge");
    assert_url(*state, "http://h.example/rouge-caf%C3%A9", "rouge caf\xC3\xA9", "rouge-caf%c3%a9");
    assert_url(*state, "http://h.example/red%0Abicycle", "red bicycle", "red%0abicycle");
    assert_url(*state, "http://h.example/red-b52-ab-x", "red", "red-b52-ab-x");
}

TEST(a_mirrors_host_folder_is_no_name) {
    assert_url(*state, "http://m.example/www.shop.example/17", "", "17");
    assert_url(*state, "http://m.example/shop/17", "shop", "17");
}

TEST(at_most_three_url_words) {
    const twx_name_words a = name_of(*state, "t", NULL, "http://h.example/one-two-three-four"),
                         b = name_of(*state, "t", NULL, "http://h.example/one-two-three-five");
    assert_int_equal(a.n[TWX_NAME_URL], TWX_NAME_URL_MAX);
    assert_int_not_equal(a.url[2], b.url[2]);
}
