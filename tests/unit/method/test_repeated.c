/* Words that a text repeats or sets apart, and its numbers. */
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

static void codes_come_first_then_capitals_then_others(void **state) {
    assert_repeated(*state, "record record record record Meyer i386 Meyer i386 record Meyer",
                    "i386 meyer record", 2);
    assert_repeated(*state, "Meyer once, i386 once", "", 0);
}

static void a_word_once_written_small_is_not_proper(void **state) {
    assert_repeated(*state, "Record Record record", "record", 0);
    assert_repeated(*state, "the end. Record Record", "record", 1);
    assert_repeated(*state, "ink ink ink", "", 0); /* three letters, no capital: an article */
    assert_repeated(*state, "Ink Ink Ink", "ink", 1);
}

static void words_of_scripts_without_capitals_are_proper(void **state) {
    assert_repeated(*state, "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D \xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D",
                    "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D", 1);
    assert_repeated(*state, "\xD0\xBF\xD0\xB5\xD1\x87\xD1\x8C \xD0\xBF\xD0\xB5\xD1\x87\xD1\x8C",
                    "\xD0\xBF\xD0\xB5\xD1\x87\xD1\x8C", 0);
}

static void stop_words_numbers_and_ids_are_no_names(void **state) {
    static const char *const WORDS[] = {"That",      "1234",     "22t00",
                                        "deadbeef1", "a1b2c3d4", "z9y8x7w6v5u4t3s2"};
    for (size_t i = 0; i < TWX_COUNTOF(WORDS); i++) assert_not_repeated(*state, WORDS[i]);
    assert_repeated(*state, "a1b2c3 a1b2c3", "a1b2c3", 1); /* too short for an id */
    assert_repeated(*state, "22t0x 22t0x", "22t0x", 1);
}

static void months_and_weekdays_are_no_names(void **state) {
    static const char *const WORDS[] = {"January",
                                        "February",
                                        "March",
                                        "April",
                                        "August",
                                        "December",
                                        "Jan",
                                        "Aug",
                                        "Januar",
                                        "Dezember",
                                        "Montag",
                                        "Sonntag",
                                        "Ao\xC3\xBBt",
                                        "F\xC3\xA9vrier",
                                        "Avril",
                                        "Mars",
                                        "Juin",
                                        "Juillet",
                                        "Lundi",
                                        "Martes",
                                        "Marzo",
                                        "Enero",
                                        "Agosto",
                                        "Aprile",
                                        "Augustus",
                                        "Maart",
                                        "Zondag",
                                        "Marted\xC3\xAC",
                                        "M\xC3\xA4rz",
                                        "Zaterdag",
                                        "Mi\xC3\xA9rcoles",
                                        "S\xC3\xA1"
                                        "bado",
                                        "Wednesday",
                                        "Abril",
                                        "Mardi",
                                        "Mayo",
                                        "Dimanche"};
    for (size_t i = 0; i < TWX_COUNTOF(WORDS); i++) assert_not_repeated(*state, WORDS[i]);
}

static void the_most_frequent_words_are_kept(void **state) {
    char text[4000] = "";
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < 2 + i; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "Name%c ", 'a' + i);
    for (int k = 0; k < 3; k++) strcat(text, "plain simple words without capital ");
    const twx_name_words w = repeated_of(*state, text);
    assert_int_equal(w.proper, TWX_NAME_PROPER_MAX);
    assert_int_equal(w.n[TWX_NAME_REPEATED], TWX_NAME_REPEATED_MAX);
    assert_int_equal(w.repeated[0], word_of("namet"));
    assert_int_equal(w.repeated[8], word_of("namel"));
}

static void short_lines_give_their_proper_words(void **state) {
    twx_name_words w = repeated_of(*state, "Red Bicycle\n\nModel mk4 of monday\nThis long line of "
                                           "Berlin has more than eight words in it");
    assert_part(&w, TWX_NAME_LEAD, "red bicycle model mk4");
    w = repeated_of(*state, "Aa Bb Cc Dd Ee\nFf Gg Hh Ii Jj");
    assert_int_equal(w.n[TWX_NAME_LEAD], TWX_NAME_LEAD_MAX);
    w = repeated_of(*state, "Monday 17 May");
    assert_part(&w, TWX_NAME_LEAD, "");
}

static void numbers_follow_a_repeated_word(void **state) {
    twx_name_words w = repeated_of(*state, "Article 17 of it, Article 18, page 4");
    assert_part(&w, TWX_NAME_NUMBER, "17 18");
    w = repeated_of(*state, "Article #17 Article. 18 Article\n19");
    assert_part(&w, TWX_NAME_NUMBER, "17 18");
    w = repeated_of(*state, "Article 1 Article 2 Article 3 Article 4 Article 5");
    assert_int_equal(w.n[TWX_NAME_NUMBER], TWX_NAME_NUMBERS_MAX - 1);
}

static void dates_times_and_ids_are_no_numbers(void **state) {
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

static void quantities_are_one_word(void **state) {
    const twx_name_words a = repeated_of(*state, "It takes 285 MB of disk and 2 GHz."),
                         b = repeated_of(*state, "2ghz, 285mb, 285 Mb and 2 GHZ again"),
                         c = repeated_of(*state, "It takes 286 MB of disk and 2 GHz.");
    assert_int_equal(a.n[TWX_NAME_NUMBER], 1);
    assert_int_equal(b.n[TWX_NAME_NUMBER], 1);
    assert_int_equal(a.number[0], b.number[0]); /* whatever their order, repeated or not */
    assert_int_not_equal(a.number[0], c.number[0]);
    assert_int_equal(repeated_of(*state, "in 285 days for 20 EUR").n[TWX_NAME_NUMBER], 0);
}

static void r1_the_order_of_quantities_does_not_count(void **state) {
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

static void an_absent_text_has_no_payload(void **state) {
    const twx_name_words w = repeated_of(*state, "");
    assert_int_equal(((fixture *)*state)->signature.payload.n, 0);
    assert_int_equal(w.n[TWX_NAME_REPEATED], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_come_first_then_capitals_then_others),
        cmocka_unit_test(a_word_once_written_small_is_not_proper),
        cmocka_unit_test(words_of_scripts_without_capitals_are_proper),
        cmocka_unit_test(stop_words_numbers_and_ids_are_no_names),
        cmocka_unit_test(months_and_weekdays_are_no_names),
        cmocka_unit_test(the_most_frequent_words_are_kept),
        cmocka_unit_test(short_lines_give_their_proper_words),
        cmocka_unit_test(numbers_follow_a_repeated_word),
        cmocka_unit_test(dates_times_and_ids_are_no_numbers),
        cmocka_unit_test(quantities_are_one_word),
        cmocka_unit_test(r1_the_order_of_quantities_does_not_count),
        cmocka_unit_test(an_absent_text_has_no_payload),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
