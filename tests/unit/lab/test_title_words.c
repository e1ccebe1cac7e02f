/* lab/title_words: which words of a title another document lacks. */
#include "support.h"

#include "lab/lab.h"

static twx_lost_words lost(const char *title, const char *other_title, const char *other_text) {
    twx_title_words w;
    twx_lost_words found = {true, true};
    twx_ctx cx = {0};
    twx_title_words_init(&w);
    assert_int_equal(twx_title_words_add(&cx, &w, twx_slice_of("an earlier document")), TWX_OK);
    twx_title_words_clear(&w);
    assert_int_equal(twx_title_words_add(&cx, &w, twx_slice_of(other_title)), TWX_OK);
    assert_int_equal(twx_title_words_add(&cx, &w, twx_slice_of(other_text)), TWX_OK);
    assert_int_equal(twx_title_words_lost(&cx, &w, twx_slice_of(title), &found), TWX_OK);
    twx_title_words_done(&w);
    return found;
}

TEST(words_of_title_and_text_count) {
    const struct {
        const char *title;
        bool any, word;
    } CASES[] = {
        {"", false, false},
        {"Harbour: high water", false, false},
        {"HARBOUR, of the \xC3\x89lbe", false, false},
        {"Harbour 1.8", true, false}, /* numbers only */
        {"Harbour v8", true, true},   /* a word with a digit is no number */
        {"Lighthouse 2.0", true, true},
        {"earlier document", true, true}, /* cleared */
        {"harbo", true, true},            /* whole words */
    };
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        const twx_lost_words l = lost(CASES[i].title, "The harbour of the \xC3\xA9lbe",
                                      "high water at 2 and 0");
        if (l.any != CASES[i].any || l.word != CASES[i].word) fail_msg("'%s'", CASES[i].title);
    }
}
