/* The key is that of the two longest sentences, counted in words that carry meaning. */
#include "sentence_texts.h"

#include <zlib.h>

static const twx_detector *const D = &TWX_DETECTOR_LONG_SENTENCE;

TEST(the_two_longest_sentences_make_the_key) {
    static const sentence_example EXAMPLES[] = {
        {"Apples. Bananas taste sweet! Cherries grow everywhere here? Dates",
         {"bananas taste sweet", "cherries grow everywhere here"}},
        {"zebra zebra\nanimal animal", {"animal animal", "zebra zebra"}},
        {"Alone on a page", {"alone on a page"}},
        {"Alone on a page. ... !!!", {"alone on a page"}},
        {"One, two. Six", {NULL}}, /* no word of four characters */
        {"the and of", {NULL}},
        {"", {NULL}},
        {"\xFF\xFE\x01", {NULL}},
        {"word", {"word"}}};
    check_examples(*state, D, EXAMPLES, TWX_COUNTOF(EXAMPLES));
}

TEST(ties_go_to_the_alphabetically_first) {
    static const sentence_example EXAMPLES[] = {
        {"gamma gamma. beta beta. delta delta. alpha alpha", {"alpha alpha", "beta beta"}},
        {"beta gamma delta. zeta zeta. eta2 eta2", {"beta gamma delta", "eta2 eta2"}},
        {"zeta zeta b. zeta zeta a. zeta zeta", {"zeta zeta", "zeta zeta a"}}};
    check_examples(*state, D, EXAMPLES, TWX_COUNTOF(EXAMPLES));
}

TEST(only_words_that_carry_meaning_make_a_sentence_long) {
    static const sentence_example EXAMPLES[] = {
        {"a b c d e f g h i. first second. third", {"first second", "third"}},
        {"with with with with other. first second. third fourth fifth",
         {"first second", "third fourth fifth"}},
        /* characters count, not bytes */
        {"\xC3\xA4\xC3\xB6\xC3\xBC \xC3\xA4\xC3\xB6\xC3\xBC \xC3\xA4\xC3\xB6\xC3\xBC. first. "
         "second",
         {"first", "second"}}};
    check_examples(*state, D, EXAMPLES, TWX_COUNTOF(EXAMPLES));
}

TEST(a_sentence_that_occurs_again_counts_once) {
    static const sentence_example EXAMPLES[] = {
        {"first second third. First, second: THIRD! lesser words",
         {"first second third", "lesser words"}},
        {"echo echo. echo echo. echo echo", {"echo echo"}}};
    check_examples(*state, D, EXAMPLES, TWX_COUNTOF(EXAMPLES));
}

TEST_OF(case_white_space_and_punctuation_do_not_show, fixture *f) {
    char first[33];
    memcpy(first,
           fixture_hex(f, D,
                       &(twx_document){
                           .text = TWX_SLICE_LIT("Good morning, \xC3\x84pfel (red). Thank you")}),
           33);
    assert_string_equal(
        first,
        fixture_hex(f, D,
                    &(twx_document){.text = TWX_SLICE_LIT(
                                        " thank  You\nx. good\tMORNING \xC3\xA4pfel - red!")}));
    assert_string_not_equal(
        first,
        fixture_hex(f, D,
                    &(twx_document){.text = TWX_SLICE_LIT("Good morning apfel red. Thank you")}));
}

TEST_OF(the_upper_half_of_the_key_is_a_crc32, fixture *f) {
    static const char JOINED[] = "animal animal zebra zebra";
    twx_key key = {0};
    assert_int_equal(
        fixture_sign(f, D, &(twx_document){.text = TWX_SLICE_LIT("Zebra zebra. Animal animal")},
                     &key),
        1);
    assert_int_equal(key.key >> 32, crc32(0, (const unsigned char *)JOINED, sizeof JOINED - 1));
}

TEST_OF(one_sentence_of_10_mb, fixture *f) {
    char *text = repeated("Very, long \xC3\x84sentence; ", HUGE_TEXT),
         *joined = repeated("very long \xC3\xA4sentence ", HUGE_TEXT);
    const size_t times = HUGE_TEXT / 23; /* 23 bytes there are 21 here */
    char expected[33];
    joined[times * 21 - 1] = '\0';
    memcpy(expected, parts_hex(f, (const char *const[]){joined, NULL}), sizeof expected);
    assert_string_equal(fixture_hex(f, D, &(twx_document){.text = {text, times * 23}}), expected);
    free(text);
    free(joined);
}

TEST_OF(one_word_over_and_over, fixture *f) {
    static const char *const PIECES[] = {"word ", "word. ", "word", "WORD",
                                         "wor ",  "\x80",   "a.",   "\xF0\x9F\x98\x80"};
    static const bool SIGNED[] = {true, true, true, true, false, false, false, false};
    for (size_t i = 0; i < TWX_COUNTOF(PIECES); i++) {
        char *text = repeated(PIECES[i], LARGE_TEXT);
        const char *hex = fixture_hex(f, D, &(twx_document){.text = {text, LARGE_TEXT}});
        if ((hex[0] != '\0') != SIGNED[i]) fail_msg("'%s' over and over: '%s'", PIECES[i], hex);
        free(text);
    }
}

TEST_OF(the_pattern_parts_sentences, fixture *f) {
    const uint64_t before = D->fingerprint(&f->params);
    twx_workspace_close(f->w);
    f->params.sentence_end = ";";
    assert_int_equal(twx_workspace_open(&f->cx, &f->params, &f->w), TWX_OK);
    static const sentence_example EXAMPLES[] = {
        {"alpha. beta; gamma gamma gamma; delta", {"alpha beta", "gamma gamma gamma"}}};
    check_examples(f, D, EXAMPLES, TWX_COUNTOF(EXAMPLES));
    assert_true(D->fingerprint(&f->params) != before);
}
