/* Words that a text repeats or emphasises, and its numbers. */
#include "name_fixture.h"

static void assert_repeated(fixture *f, const char *text, const char *expected, int proper) {
    const twx_name_words w = repeated_of(f, text);
    assert_part(&w, TWX_NAME_REPEATED, expected);
    assert_int_equal(w.proper, proper);
}

static void assert_not_repeated(fixture *f, const char *word) {
    char text[200];
    snprintf(text, sizeof text, "%s %s %s %s", word, word, word, word);
    const twx_name_words w = repeated_of(f, text);
    if (w.n[TWX_NAME_REPEATED] != 0) fail_msg("'%s' may be a name", word);
}

TEST(codes_come_first_then_capitals_then_others) {
    assert_repeated(*state, "record record record record Meyer i386 Meyer i386 record Meyer",
                    "i386 meyer record", 2);
    assert_repeated(*state, "Meyer once, i386 once", "", 0);
}

TEST(a_word_once_written_small_is_not_proper) {
    assert_repeated(*state, "Record Record record", "record", 0);
    assert_repeated(*state, "the end. Record Record", "record", 1);
    assert_repeated(*state, "ink ink ink", "", 0); /* three letters, no capital: an article */
    assert_repeated(*state, "Ink Ink Ink", "ink", 1);
}

TEST(words_of_scripts_without_capitals_are_proper) {
    assert_repeated(*state, "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D \xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D",
                    "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D", 1);
    assert_repeated(*state, "\xD0\xBF\xD0\xB5\xD1\x87\xD1\x8C \xD0\xBF\xD0\xB5\xD1\x87\xD1\x8C",
                    "\xD0\xBF\xD0\xB5\xD1\x87\xD1\x8C", 0);
    assert_repeated(*state, "\u10d7\u10d1\u10d8\u10da \u10d7\u10d1\u10d8\u10da",
                    "\u10d7\u10d1\u10d8\u10da", 0);
    assert_repeated(*state, "\u1ee7\u1ea1\u1ebd\u1ee3 \u1ee7\u1ea1\u1ebd\u1ee3",
                    "\u1ee7\u1ea1\u1ebd\u1ee3", 0);
}

TEST(stop_words_numbers_and_ids_are_no_names) {
    static const char *const WORDS[] = {"That",      "1234",     "22t00",
                                        "deadbeef1", "a1b2c3d4", "z9y8x7w6v5u4t3s2"};
    for (size_t i = 0; i < TWX_COUNTOF(WORDS); i++) assert_not_repeated(*state, WORDS[i]);
    assert_repeated(*state, "a1b2c3 a1b2c3", "a1b2c3", 1); /* too short for an id */
    assert_repeated(*state, "22t0x 22t0x", "22t0x", 1);
}

TEST(months_and_weekdays_are_no_names) {
    static const char *const WORDS[] = {
        "January",        "February",    "March",        "April",        "August",
        "December",       "Jan",         "Aug",          "Januar",       "Dezember",
        "Montag",         "Sonntag",     "Ao\u00fbt",    "F\u00e9vrier", "Avril",
        "Mars",           "Juin",        "Juillet",      "Lundi",        "Martes",
        "Marzo",          "Enero",       "Agosto",       "Aprile",       "Augustus",
        "Maart",          "Zondag",      "Marted\u00ec", "M\u00e4rz",    "Zaterdag",
        "Mi\u00e9rcoles", "S\u00e1bado", "Wednesday",    "Abril",        "Mardi",
        "Mayo",           "Dimanche"};
    for (size_t i = 0; i < TWX_COUNTOF(WORDS); i++) assert_not_repeated(*state, WORDS[i]);
}

TEST(the_most_frequent_words_are_kept) {
    char text[4000] = "";
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < 2 + i; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "Name%c ", 'a' + i);
    for (int k = 0; k < 3; k++) strcat(text, "plain simple words without capital ");
    const twx_name_words w = repeated_of(*state, text);
    assert_int_equal(w.proper, TWX_NAME_PROPER_MAX);
    assert_int_equal(w.n[TWX_NAME_REPEATED], TWX_NAME_REPEATED_MAX);
    assert_true(
        twx_name_word_meets(TWX_NAME_TITLE, word_of("namet"), TWX_NAME_REPEATED, w.repeated[0]));
    assert_true(twx_name_word_meets(TWX_NAME_TITLE, word_of("namen"), TWX_NAME_REPEATED,
                                    w.repeated[TWX_NAME_PROPER_MAX - 1]));
}

TEST(codes_leave_room_for_capitals) {
    assert_repeated(*state,
                    "a1b a1b a1b a1b a1b c2d c2d c2d c2d e3f e3f e3f e3f g4h g4h g4h i5j i5j "
                    "e3f c2d c2d a1b a1b a1b Meyer Meyer",
                    "a1b c2d e3f g4h meyer", 5);
}

TEST(words_of_markup_are_no_names) {
    assert_repeated(*state,
                    ":func:`open` and :func:`close`\n\n.. versionadded:: 3.2\n\n"
                    ".. versionadded:: 3.3\n\nopen",
                    "open", 0);
    assert_repeated(*state, "The func of the func", "func", 0);
    assert_repeated(*state, ".. lang++:: x\n\n.. lang++:: y", "", 0);
    assert_repeated(*state, ".. hint: x\n\n.. hint:\n\n.. hint", "hint", 0); /* comments */
}

TEST(codes_that_stand_once_are_kept) {
    twx_name_words w = repeated_of(*state, "It is for i386 only, of 2020 and 3com, 22T00:01:02");
    assert_part(&w, TWX_NAME_CODE, "i386");
    w = repeated_of(*state, "amd64 amd64");
    assert_part(&w, TWX_NAME_CODE, ""); /* it is a repeated word */
    w = repeated_of(*state, "a1b2c3d4e5f6 v1");
    assert_part(&w, TWX_NAME_CODE, ""); /* an id, and too short */
}

/* Of a text and a longer copy of it the same codes are kept, or the longer one says that its list
 * is full. */
TEST(r1_codes_of_a_copy_are_kept_or_beyond_its_list) {
    for (uint64_t seed = 1; seed <= 300; seed++) {
        char text[600] = "";
        test_rng rng = test_rng_seed(seed);
        const size_t n = test_rng_below(&rng, 12);
        for (size_t i = 0; i < n; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "x%uy ",
                     (unsigned)test_rng_below(&rng, 100000));
        const twx_name_words a = repeated_of(*state, text);
        snprintf(text + strlen(text), sizeof text - strlen(text), "z%uy",
                 (unsigned)test_rng_below(&rng, 100000));
        const twx_name_words b = repeated_of(*state, text);
        for (size_t i = 0; i < a.n[TWX_NAME_CODE]; i++) {
            bool found = twx_name_may_have_code(&b, a.code[i]);
            for (size_t k = 0; k < b.n[TWX_NAME_CODE]; k++) found |= b.code[k] == a.code[i];
            if (!found) fail_msg("seed %" PRIu64, seed);
        }
    }
}

TEST(numbers_follow_a_word_with_a_capital) {
    twx_name_words w = repeated_of(*state, "Article 17 of it, Section 18, page 4");
    assert_part(&w, TWX_NAME_NUMBER, "17 18");
    w = repeated_of(*state, "Article #17 Article. 18 Article\n19 C++20");
    assert_part(&w, TWX_NAME_NUMBER, "17 18");
    w = repeated_of(*state, "Article 1 Article 2 Article 3 Article 4 Article 5");
    assert_int_equal(w.n[TWX_NAME_NUMBER], TWX_NAME_NUMBERS_MAX - 1);
    w = repeated_of(*state, "Retrieved 12 March 2004, on Monday 3");
    assert_part(&w, TWX_NAME_NUMBER, "");
    w = repeated_of(*state, "Am Montag, Abgerufen 3. Mai, nicht Artikel 4. Mainz");
    assert_part(&w, TWX_NAME_NUMBER, "4");
}

/* A long text refers to many articles; its own number stands at its beginning or in a line. */
TEST(numbers_within_long_lines_do_not_count) {
    char text[1000] = "";
    for (int i = 0; i < 30; i++) strcat(text, "some words to begin with ");
    strcat(text, "Article 17 of it\nArticle 18\n");
    const twx_name_words w = repeated_of(*state, text);
    assert_part(&w, TWX_NAME_NUMBER, "18");
}

TEST(dates_times_and_ids_are_no_numbers) {
    static const char *const NUMBERS[] = {"10:30",      "2020-05-17", "17/05/2020", "1,285",
                                          "17.05.2020", "2020.05.17", "17th",       "22t00",
                                          "a17",        "10:30:59"};
    for (size_t i = 0; i < TWX_COUNTOF(NUMBERS); i++) {
        char text[100];
        snprintf(text, sizeof text, "Article %s Article %s", NUMBERS[i], NUMBERS[i]);
        const twx_name_words w = repeated_of(*state, text);
        if (w.n[TWX_NAME_NUMBER] != 0) fail_msg("'%s' is a number", NUMBERS[i]);
    }
    const twx_name_words w = repeated_of(*state, "Release 1.2.3 Release 15.20");
    assert_part(&w, TWX_NAME_NUMBER, "1.2.3 15.20");
}

TEST(quantities_are_one_word) {
    const twx_name_words a = repeated_of(*state, "It takes 285 MB of disk and 2 GHz."),
                         b = repeated_of(*state, "2ghz, 285mb, 285 Mb and 2 GHZ again"),
                         c = repeated_of(*state, "It takes 286 MB of disk and 2 GHz.");
    assert_int_equal(a.n[TWX_NAME_NUMBER], 1);
    assert_int_equal(b.n[TWX_NAME_NUMBER], 1);
    assert_int_equal(a.number[0], b.number[0]); /* whatever their order, repeated or not */
    assert_int_not_equal(a.number[0], c.number[0]);
    assert_int_equal(repeated_of(*state, "in 285 days for 20 EUR").n[TWX_NAME_NUMBER], 0);
    const twx_name_words none = repeated_of(*state, "it took 5 in all, see 3 b and 4 o");
    assert_int_equal(none.n[TWX_NAME_NUMBER], 0);
    assert_int_equal(repeated_of(*state, "230 V, 60 W, 2 m, 5 l").n[TWX_NAME_NUMBER], 1);
    assert_int_not_equal(repeated_of(*state, "a 32-bit PC").number[0],
                         repeated_of(*state, "a 64-bit PC").number[0]);
}

TEST(r1_the_order_of_quantities_does_not_count) {
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t values[40];
        uint32_t sum[2] = {0};
        test_rng rng = test_rng_seed(seed);
        const size_t n = 1 + test_rng_below(&rng, TWX_COUNTOF(values));
        for (size_t i = 0; i < n; i++) values[i] = test_rng_below(&rng, 1000);
        for (int turn = 0; turn < 2; turn++) {
            char text[1000] = "";
            for (size_t i = 0; i < n; i++)
                snprintf(text + strlen(text), sizeof text - strlen(text), "x %d kg ",
                         (int)values[i]);
            const twx_name_words w = repeated_of(*state, text);
            assert_true(w.n[TWX_NAME_NUMBER] >= 1);
            sum[turn] = w.number[w.n[TWX_NAME_NUMBER] - 1];
            test_rng_shuffle(&rng, values, n);
        }
        if (sum[0] != sum[1]) fail_msg("seed %" PRIu64, seed);
    }
}

TEST(an_absent_text_has_no_payload) {
    const twx_name_words w = repeated_of(*state, "");
    assert_int_equal(((fixture *)*state)->signature.payload.n, 0);
    assert_int_equal(w.n[TWX_NAME_REPEATED], 0);
}
