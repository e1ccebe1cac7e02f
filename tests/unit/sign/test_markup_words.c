/* sign/repeated.c: roles, directives and fields of reStructuredText, and text that looks like
 * them. */
#include "support.h"

#include "sign/internal.h"

TEST(the_words_of_markup) {
    static const struct {
        const char *text;
        const char *words[7]; /* in order, up to the first NULL */
    } ROWS[] = {
        {"see :func:`open` and :func:`close`", {"func"}},
        {"see :py:func:`open`, :c-api:`x` or :a_b+c:`y`", {"py", "func", "c", "api", "a", "b"}},
        {".. versionadded:: 3.2", {"versionadded"}},
        {"text\n   .. code-block:: c\n\n.. note::", {"code", "block", "note"}},
        {":synopsis: reads\n  :author: me", {"synopsis", "author"}},
        /* roles come first */
        {".. note:: :ref:`x`", {"ref", "note"}},
        /* no markup: text before a colon, a lone quote, a comment, an open or an empty name */
        {"note: `open` and ::`x` or :Func:`y`", {NULL}},
        {"`open`:`x`", {NULL}},
        {".. just a comment\n.. _target: x\n..\n:", {NULL}},
        {":open field\n:: \n.. a:b\n.. end:", {NULL}},
        {"a :role in front of a line\nand :field: in it", {NULL}},
        {":0123456789: digits, :", {NULL}},
        /* a name of more than 40 bytes */
        {":aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:`x`", {NULL}},
        {".. aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa::", {NULL}},
        {"", {NULL}},
        {":`", {NULL}},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        twx_markup_words words;
        size_t n = 0;
        twx_markup_words_of(twx_slice_of(ROWS[i].text), &words);
        while (n < 7 && ROWS[i].words[n]) n++;
        bool same = words.n == n;
        for (size_t k = 0; same && k < n; k++)
            same = words.at[k] == twx_name_word(twx_slice_of(ROWS[i].words[k])) &&
                   twx_has_name_word(words.at, words.n, words.at[k]);
        if (!same) fail_msg("'%s': %zu words, wanted %zu", ROWS[i].text, words.n, n);
        assert_false(twx_has_name_word(words.at, words.n, twx_name_word(TWX_SLICE_LIT("other"))));
    }
}

TEST(at_most_32_words_are_kept) {
    enum { ROLES = TWX_MARKUP_WORDS_MAX + 10 };
    char text[ROLES * 8 + 1] = "";
    twx_markup_words words;
    for (int i = 0; i < ROLES; i++) {
        const char role[] = {
            ':', (char)('a' + i / 26), (char)('a' + i % 26), ':', '`', 'x', '`', ' ', 0};
        strcat(text, role);
    }
    twx_markup_words_of(twx_slice_of(text), &words);
    assert_int_equal(words.n, TWX_MARKUP_WORDS_MAX);
    assert_int_equal(words.at[0], twx_name_word(TWX_SLICE_LIT("aa")));
    twx_markup_words_of((twx_slice){":a:`x` :func:`y`", 12}, &words); /* it ends before the quote */
    assert_int_equal(words.n, 1);
}

TEST(markup_is_noticed_near_the_beginning) {
    static const struct {
        const char *text;
        bool has;
    } ROWS[] = {
        {":ref:`x`", true}, {"a `b` :`", true}, {"text\n.. note:: x", true}, {".. comment", true},
        {"`x` `y`", false}, {"`", false},       {"a ... and so on", false},  {"text ..", false},
        {"..", false},      {"", false},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        if (twx_has_markup(twx_slice_of(ROWS[i].text)) != ROWS[i].has)
            fail_msg("'%s'", ROWS[i].text);
}
