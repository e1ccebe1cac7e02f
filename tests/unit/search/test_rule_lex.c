/* Tokens of rules: kinds, places, columns. */
#include "support.h"

#include "search/internal.h"

static void expect_kinds(const char *text, const twx_rule_token_kind *kinds, size_t n) {
    twx_ctx cx = {0};
    twx_rule_token token;
    twx_rule_lexer x = twx_rule_lexer_of(&cx, "x", twx_slice_of(text));
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(twx_rule_next(&x, &token), TWX_OK);
        if (token.kind != kinds[i])
            fail_msg("'%s': token %zu is %d, wanted %d", text, i, token.kind, kinds[i]);
        assert_true(token.at <= token.end && token.end <= strlen(text));
    }
}
#define EXPECT_KINDS(text, ...)                                   \
    do {                                                          \
        static const twx_rule_token_kind kinds[] = {__VA_ARGS__}; \
        expect_kinds(text, kinds, sizeof kinds / sizeof *kinds);  \
    } while (0)

TEST(r1_tokens) {
    EXPECT_KINDS("", TWX_RULE_END, TWX_RULE_END);
    EXPECT_KINDS("\n", TWX_RULE_LINE, TWX_RULE_END);
    EXPECT_KINDS("# all of it", TWX_RULE_END);
    EXPECT_KINDS("[a] [b", TWX_RULE_SECTION, TWX_RULE_FROM, TWX_RULE_WORD, TWX_RULE_LINE,
                 TWX_RULE_END);
    EXPECT_KINDS("a AND b && NOT c", TWX_RULE_WORD, TWX_RULE_AND, TWX_RULE_WORD, TWX_RULE_AND,
                 TWX_RULE_NOT, TWX_RULE_WORD);
    EXPECT_KINDS("and or not", TWX_RULE_WORD, TWX_RULE_WORD, TWX_RULE_WORD);
    EXPECT_KINDS("+a -b-c !d", TWX_RULE_PLUS, TWX_RULE_WORD, TWX_RULE_MINUS, TWX_RULE_WORD,
                 TWX_RULE_NOT, TWX_RULE_WORD);
    EXPECT_KINDS("f:[1 TO *}^=2", TWX_RULE_WORD, TWX_RULE_COLON, TWX_RULE_FROM, TWX_RULE_WORD,
                 TWX_RULE_WORD, TWX_RULE_WORD, TWX_RULE_BEFORE, TWX_RULE_CARET_CONSTANT,
                 TWX_RULE_WORD);
    EXPECT_KINDS("f:\"a # b\" # c", TWX_RULE_WORD, TWX_RULE_COLON, TWX_RULE_QUOTED, TWX_RULE_LINE);
    EXPECT_KINDS("f(1,2)||{3]^4", TWX_RULE_WORD, TWX_RULE_OPEN, TWX_RULE_WORD, TWX_RULE_COMMA,
                 TWX_RULE_WORD, TWX_RULE_CLOSE, TWX_RULE_OR, TWX_RULE_BEHIND, TWX_RULE_WORD,
                 TWX_RULE_UP_TO, TWX_RULE_CARET, TWX_RULE_WORD);
}

TEST(r3_columns_count_characters) {
    twx_ctx cx = {0};
    twx_rule_token token;
    twx_rule_lexer x = twx_rule_lexer_of(&cx, "x",
                                         twx_slice_of("\xEF\xBB\xBF\xC3\xA4\xE2\x82\xAC b\n\tc"));
    assert_int_equal(twx_rule_next(&x, &token), TWX_OK);
    assert_int_equal(twx_rule_token_column(&x, &token), 1);
    assert_int_equal(twx_rule_next(&x, &token), TWX_OK);
    assert_int_equal(twx_rule_token_column(&x, &token), 4);
    assert_int_equal(twx_rule_next(&x, &token), TWX_OK);
    assert_int_equal(twx_rule_next(&x, &token), TWX_OK);
    assert_int_equal(token.line, 2);
    assert_int_equal(twx_rule_token_column(&x, &token), 2);
}

TEST(r2_what_is_no_text_is_refused) {
    static const char *const BAD[] = {"a\x02", "\xC3", "# \xED\xA0\x80", "a\xC2\x85", "\"\\\n\""};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        twx_ctx cx = {0};
        twx_rule_token token;
        twx_rc rc = TWX_OK;
        twx_rule_lexer x = twx_rule_lexer_of(&cx, "x", twx_slice_of(BAD[i]));
        for (int k = 0; k < 4 && rc == TWX_OK; k++) rc = twx_rule_next(&x, &token);
        assert_int_equal(rc, TWX_E_CONFIG);
        assert_memory_equal(cx.message, "x:1:", 4);
    }
}
