/* The query language for people, as expressions of FTS5. That FTS5 accepts every expression is a
 * law of tests/fuzz/fuzz_query.c. */
#include "support.h"

#include <string.h>

#include "text/text.h"

typedef struct fixture {
    twx_ctx cx;
    twx_terms *terms;
    twx_buf out;
} fixture;

static int setup(void **state) {
    static fixture f;
    f = (fixture){.terms = NULL};
    twx_ctx_init(&f.cx);
    twx_buf_init(&f.out, 1 << 16);
    *state = &f;
    return twx_terms_open(&f.cx, &f.terms) == TWX_OK ? 0 : -1;
}

static int teardown(void **state) {
    fixture *f = *state;
    twx_terms_close(f->terms);
    twx_buf_done(&f->out);
    return 0;
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
    fixture *f = *state;
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        assert_int_equal(
            twx_plain_query(&f->cx, f->terms, twx_slice_of(CASES[i][0]), true, &f->out), TWX_OK);
        assert_string_equal(f->out.p, CASES[i][1]);
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
        {"a\xE3\x80\x80"
         "b",
         "(\"a\" AND \"b\")"},
        {"or and not", "(\"or\" AND \"and\" AND \"not\")"},
        {"\xFF \xE2\x80\x9C", "\"\""},
    };
    fixture *f = *state;
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        assert_int_equal(
            twx_plain_query(&f->cx, f->terms, twx_slice_of(CASES[i].query), false, &f->out),
            TWX_OK);
        assert_string_equal(f->out.p, CASES[i].expected);
    }
    assert_int_equal(twx_plain_query(&f->cx, f->terms, (twx_slice){"a\0b", 3}, false, &f->out),
                     TWX_OK);
    assert_string_equal(f->out.p, "(\"a\" AND \"b\")");
}

TESTS_IN(setup, teardown);
