/* References resolved against a base (RFC 3986 section 5, WHATWG URL). */
#include "url_fixture.h"

typedef struct example {
    const char *given, *expected;
} example;

static const char NO_SCHEME[] = "no scheme: not an absolute URL";
static const char NO_HOST[] = "no host";
static const char BAD_HOST[] = "not a host name or address";

/* RFC 3986 section 5.4, normal and abnormal examples (strict), and cases of our own. */
TEST(references_resolve) {
    static const example RFC[] = {{"g:h", "g:h"},
                                  {"g", "http://a/b/c/g"},
                                  {"./g", "http://a/b/c/g"},
                                  {"g/", "http://a/b/c/g/"},
                                  {"/g", "http://a/g"},
                                  {"//g", "http://g/"},
                                  {"?y", "http://a/b/c/d;p?y"},
                                  {"g?y", "http://a/b/c/g?y"},
                                  {"#s", "http://a/b/c/d;p?q"},
                                  {"g#s", "http://a/b/c/g"},
                                  {"g?y#s", "http://a/b/c/g?y"},
                                  {";x", "http://a/b/c/;x"},
                                  {"g;x", "http://a/b/c/g;x"},
                                  {"", "http://a/b/c/d;p?q"},
                                  {".", "http://a/b/c/"},
                                  {"./", "http://a/b/c/"},
                                  {"..", "http://a/b/"},
                                  {"../", "http://a/b/"},
                                  {"../g", "http://a/b/g"},
                                  {"../..", "http://a/"},
                                  {"../../", "http://a/"},
                                  {"../../g", "http://a/g"},
                                  {"../../../g", "http://a/g"},
                                  {"/./g", "http://a/g"},
                                  {"/../g", "http://a/g"},
                                  {"g.", "http://a/b/c/g."},
                                  {"..g", "http://a/b/c/..g"},
                                  {"./../g", "http://a/b/g"},
                                  {"./g/.", "http://a/b/c/g/"},
                                  {"g/./h", "http://a/b/c/g/h"},
                                  {"g/../h", "http://a/b/c/h"},
                                  {"g;x=1/./y", "http://a/b/c/g;x=1/y"},
                                  {"g;x=1/../y", "http://a/b/c/y"},
                                  {"g?y/./x", "http://a/b/c/g?y/./x"},
                                  {"g?y/../x", "http://a/b/c/g?y/../x"},
                                  {"http:g", "http://a/b/c/g"},
                                  {"https:g", "https://g/"},
                                  {"\\g\\h", "http://a/g/h"},
                                  {" \n g\th ", "http://a/b/c/gh"},
                                  {"?", "http://a/b/c/d;p?"},
                                  {"//", NO_HOST},
                                  {"/%2e%2e/g h", "http://a/g%20h"},
                                  {"//x..y/", BAD_HOST}};
    for (size_t i = 0; i < TWX_COUNTOF(RFC); i++) {
        twx_url base = url_normal(NULL, TWX_SLICE_LIT("http://a/b/c/d;p?q")), u;
        assert_ok(
            twx_url_resolve(&url_cx, &url_arena, NULL, &base, twx_slice_of(RFC[i].given), &u));
        assert_string_equal(url_text(u), RFC[i].expected);
    }
}

TEST(references_resolve_against_odd_bases) {
    static const struct {
        const char *base, *reference, *expected;
    } ROWS[] = {{"file:///a/b", "c", "file:///a/c"},
                {"mailto:a", "b", "mailto:b"},
                {"x:/a/b", ".//c", "x:/a//c"},
                {"x:/a", ".//c", "x:/.//c"},
                {"x:/.//a", "b", "x:/.//b"},
                {"x:", "a", "x:a"},
                {"http://u@h:8/a", "b", "http://u@h:8/b"},
                {"https://h", "//g", "https://g/"},
                {"nonsense", "/a", NO_SCHEME},
                {"nonsense", "http://h/", "http://h/"}};
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++) {
        twx_url base = url_normal(NULL, twx_slice_of(ROWS[i].base)), u;
        assert_ok(
            twx_url_resolve(&url_cx, &url_arena, NULL, &base, twx_slice_of(ROWS[i].reference), &u));
        assert_string_equal(url_text(u), ROWS[i].expected);
    }
    twx_url base = url_normal(NULL, TWX_SLICE_LIT("http://h/")), u;
    assert_ok(twx_url_resolve(&url_cx, &url_arena, NULL, &base, (twx_slice){NULL, 0}, &u));
    assert_int_equal(u.fault, TWX_URL_EMPTY);
}
