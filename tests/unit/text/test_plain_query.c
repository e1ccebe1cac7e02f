/* The query language for people, as expressions of FTS5. That FTS5 accepts every expression is a
 * law of tests/fuzz/fuzz_query.c. */
#include "support.h"

#include <string.h>

#include "text/text.h"

static twx_ctx cx;
static twx_terms *terms;
static twx_buf out;

static void setup(void) {
    twx_buf_init(&out, 1 << 16);
    assert_ok(twx_terms_open(&cx, &terms));
}

static void teardown(void) {
    twx_terms_close(terms);
    twx_buf_done(&out);
}

/* What counts the documents that have each phrase: the phrases of the query, in its order. */
TEST(phrases_are_alternatives) {
    static const char *const CASES[][2] = {
        {"solar panel", "(\"solar\" OR \"panel\")"},
        {"solar -panel -\"x y\"", "(\"solar\") OR (\"panel\" OR \"x y\")"},
        {"a b OR title:c*", "(\"a\" OR \"b\") OR (title : \"c*\" *)"},
        {"a OR -b", "(\"a\")"},
        {"", "\"\""},
    };
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        assert_ok(twx_plain_query(&cx, terms, twx_slice_of(CASES[i][0]), true, &out));
        assert_string_equal(out.p, CASES[i][1]);
    }
}

TEST(queries_are_translated) {
    static const struct {
        const char *query, *expected;
    } CASES[] = {
        {"solar panel", "(\"solar\" AND \"panel\")"},
        {"  what's new ", "(\"what's\" AND \"new\")"},
        {"C++ foo-bar", "(\"C++\" AND \"foo-bar\")"},
        {"\"solar panel\" roof", "(\"solar panel\" AND \"roof\")"},
        {"\xE2\x80\x9Csolar panel\xE2\x80\x9D", "(\"solar panel\")"},
        {"\xC2\xABsolar panel\xC2\xBB", "(\"solar panel\")"},
        {"\"solar panel", "(\"solar\" AND \"panel\")"},
        {"5\" disk", "(\"5\" AND \"disk\")"},
        {"solar -panel", "(\"solar\") NOT (\"panel\")"},
        {"-\"two words\" solar -x", "(\"solar\") NOT (\"two words\" OR \"x\")"},
        {"solar NOT panel AND roof", "(\"solar\" AND \"roof\") NOT (\"panel\")"},
        {"a b OR c", "(\"a\" AND \"b\") OR (\"c\")"},
        {"OR a OR OR b OR", "(\"a\") OR (\"b\")"},
        {"a OR -b", "(\"a\")"},
        {"pan* pan *", "(\"pan*\" * AND \"pan\")"},
        {"\"big pan\"*", "(\"big pan\" *)"},
        {"title:solar -text:\"x y\"", "(title : \"solar\") NOT (text : \"x y\")"},
        {"Title:a url:b title: c", "(title : \"a\" AND \"url:b\" AND \"title:\" AND \"c\")"},
        {"a\"b\"c", "(\"a\" AND \"b\" AND \"c\")"},
        {"( a & b ) ^ {x} NEAR(y)", "(\"a\" AND \"b\" AND \"{x}\" AND \"NEAR(y)\")"},
        {"+a --b - c", "(\"a\" AND \"c\") NOT (\"b\")"},
        {"-a", "\"\""},
        {"+++ ***", "\"\""},
        {"", "\"\""},
        {"a\u3000b", "(\"a\" AND \"b\")"},
        {"or and not", "(\"or\" AND \"and\" AND \"not\")"},
        {"\xFF \xE2\x80\x9C", "\"\""},
    };
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        assert_ok(twx_plain_query(&cx, terms, twx_slice_of(CASES[i].query), false, &out));
        assert_string_equal(out.p, CASES[i].expected);
    }
    assert_ok(twx_plain_query(&cx, terms, (twx_slice){"a\0b", 3}, false, &out));
    assert_string_equal(out.p, "(\"a\" AND \"b\")");
}

TESTS_IN(setup, teardown);
