/* Stop words: the table is in order, and what it holds is found. */
#include "support.h"

#include "text/text.h"

TEST(r1_the_table_is_sorted_and_has_no_short_words) {
    twx_slice before = {NULL, 0}, word;
    size_t n = 0;
    for (; (word = twx_stop_word_at(n)).p; n++) {
        size_t characters = 0;
        for (size_t i = 0; i < word.n; i++) characters += ((unsigned char)word.p[i] & 0xC0) != 0x80;
        if (characters < 4) fail_msg("'" TWX_SLICE_FMT "' is short", TWX_SLICE_ARG(word));
        if (before.p && twx_slice_cmp(before, word) >= 0)
            fail_msg("'" TWX_SLICE_FMT "' is out of place", TWX_SLICE_ARG(word));
        before = word;
    }
    assert_true(n > 500);
}

TEST(every_word_of_the_table_is_found_and_its_neighbours_are_not) {
    twx_slice word;
    for (size_t n = 0; (word = twx_stop_word_at(n)).p; n++) {
        char longer[32];
        assert_true(twx_is_stop_word(word));
        assert_true(word.n + 1 < sizeof longer);
        for (size_t i = 0; i < word.n; i++) longer[i] = word.p[i];
        longer[word.n] = '9'; /* no word of the table has a digit */
        assert_false(twx_is_stop_word((twx_slice){longer, word.n + 1}));
        longer[word.n - 1] = '9';
        assert_false(twx_is_stop_word((twx_slice){longer, word.n}));
    }
}

TEST(words_of_six_languages) {
    static const char *const STOP[] = {"with",  "which",       "nicht",      "\u00fcber",
                                       "avec",  "m\u00eame",   "para",       "tambi\u00e9n",
                                       "della", "perch\u00e9", "voc\u00eas", "quando"};
    static const char *const OTHER[] = {"",
                                        "a",
                                        "the",
                                        "index",
                                        "search",
                                        "WITH",
                                        "withs",
                                        "wit",
                                        "aaaa",
                                        "zzzz",
                                        "twindex",
                                        "internationalization",
                                        "straightforwardness"};
    for (size_t i = 0; i < TWX_COUNTOF(STOP); i++)
        if (!twx_is_stop_word(twx_slice_of(STOP[i]))) fail_msg("'%s' is none", STOP[i]);
    for (size_t i = 0; i < TWX_COUNTOF(OTHER); i++)
        if (twx_is_stop_word(twx_slice_of(OTHER[i]))) fail_msg("'%s' is one", OTHER[i]);
    assert_false(twx_is_stop_word((twx_slice){NULL, 0}));
}
