/* Stop words: the file is in order, and its words are found. */
#include "support.h"

#include "text/text.h"

#include <stdlib.h>
#include <string.h>

TEST(every_word_of_the_file_is_found_and_its_neighbours_are_not) {
    size_t n = 0, bytes = 0;
    char *text = test_read_file(TWINDEX_SOURCE_DIR "/share/tables/stop_words.txt", &bytes);
    twx_slice before = {NULL, 0}, rest = {text, bytes}, word;
    while (rest.n)
        for (twx_slice line = twx_slice_next_line(&rest);
             line.n && line.p[0] != '#' && twx_slice_next_word(&line, &word);) {
            char longer[32];
            size_t characters = 0;
            for (size_t i = 0; i < word.n; i++)
                characters += ((unsigned char)word.p[i] & 0xC0) != 0x80;
            if (characters < 4) fail_msg("'" TWX_SLICE_FMT "' is short", TWX_SLICE_ARG(word));
            if (before.p && twx_slice_cmp(before, word) >= 0)
                fail_msg("'" TWX_SLICE_FMT "' is out of place", TWX_SLICE_ARG(word));
            if (!twx_is_stop_word(word)) fail_msg("'" TWX_SLICE_FMT "'", TWX_SLICE_ARG(word));
            assert_true(word.n + 1 < sizeof longer);
            memcpy(longer, word.p, word.n);
            longer[word.n] = '9'; /* no word of the file has a digit */
            assert_false(twx_is_stop_word((twx_slice){longer, word.n + 1}));
            longer[word.n - 1] = '9';
            assert_false(twx_is_stop_word((twx_slice){longer, word.n}));
            before = word;
            n++;
        }
    assert_true(n > 500);
    free(text);
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
