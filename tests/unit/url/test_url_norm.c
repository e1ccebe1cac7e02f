#include "url_fixture.h"

typedef struct example {
    const char *given, *expected;
} example;

static void check(unsigned steps, const example *examples, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const char *made = url_norm(steps, examples[i].given);
        if (strcmp(made, examples[i].expected) != 0)
            fail_msg("'%s' gives '%s', not '%s'", examples[i].given, made, examples[i].expected);
        twx_arena_reset(&url_arena);
    }
}

static const char NO_SCHEME[] = "no scheme: not an absolute URL";
static const char NO_HOST[] = "no host";
static const char BAD_HOST[] = "not a host name or address";
static const char BAD_PORT[] = "not a port number";

TEST(r2_scheme_and_host) {
    static const example EXAMPLES[] = {
        {"HTTP://Example.COM/A", "http://example.com/A"},
        {"http://example.com", "http://example.com/"},
        {"http://example.com?q", "http://example.com/?q"},
        {"http://example.com#f", "http://example.com/"},
        {"http://example.com./", "http://example.com/"},
        {"http://exa%6Dple.com/", "http://example.com/"},
        {"http://EX%41MPLE.com/", "http://example.com/"},
        {"http://foo_bar.example.com/", "http://foo_bar.example.com/"},
        {"http://localhost", "http://localhost/"},
        {"http://b\u00FCcher.example/", "http://xn--bcher-kva.example/"},
        {"http://B\u00DCCHER.example/", "http://xn--bcher-kva.example/"},
        {"http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"},
        {"http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"},
        {"http://fa\xC3\x9F.de/", "http://xn--fa-hia.de/"}, /* non-transitional: sharp s stays */
        {"http://a\u3002example/", "http://a.example/"},    /* ideographic full stop */
        {"http://[2001:DB8::1]/", "http://[2001:db8::1]/"},
        {"http://[::FFFF:1.2.3.4]:8080/", "http://[::ffff:102:304]:8080/"},
        {"http://127.0.0.1/", "http://127.0.0.1/"}};
    check(0, EXAMPLES, TWX_COUNTOF(EXAMPLES));
}

TEST(r2_bad_hosts) {
    static const example EXAMPLES[] = {
        {"http://a b/", BAD_HOST},
        {"http://a%20b/", BAD_HOST},
        {"http://a%00b/", BAD_HOST},
        {"http://a%2Fb/", BAD_HOST},
        {"http://a%zzb/", BAD_HOST},
        {"http://a%2/", BAD_HOST},
        {"http://a%/", BAD_HOST},
        {"http://%2541/", BAD_HOST}, /* decoded once, no more */
        {"http://a..b/", BAD_HOST},
        {"http://.a/", BAD_HOST},
        {"http://a../", BAD_HOST},
        {"http://./", BAD_HOST},
        {"x://a\\b/", BAD_HOST},
        {"http://1.2.3.256/", BAD_HOST},
        {"http://a.09/", BAD_HOST},
        {"http://<a>/", BAD_HOST},
        {"http://\xFF\xFE/", BAD_HOST},
        {"http://%FF/", BAD_HOST},
        {"http://a\xC3\xBC%00/", BAD_HOST},
        {"http://a\uFF0Fb/", BAD_HOST}, /* full-width solidus maps to '/' */
        {"http://[::1/", BAD_HOST},
        {"http://[::1]x/", BAD_HOST},
        {"http://[]/", BAD_HOST},
        {"http://[::1%25eth0]/", BAD_HOST},
        {"http://[1.2.3.4]/", BAD_HOST},
        {"http://[v1.x]/", BAD_HOST},
        {"http://[/", BAD_HOST},
        {"http:///", NO_HOST},
        {"ftp:", NO_HOST},
        {"https:", NO_HOST},
        {"http://:80/", NO_HOST},
        {"http://user@/", NO_HOST}};
    check(0, EXAMPLES, TWX_COUNTOF(EXAMPLES));
}

TEST(r2_ports_and_userinfo) {
    static const example EXAMPLES[] = {{"http://h:80/", "http://h/"},
                                       {"https://h:443/", "https://h/"},
                                       {"ftp://h:21/", "ftp://h/"},
                                       {"http://h:443/", "http://h:443/"},
                                       {"http://h:/", "http://h/"},
                                       {"http://h:0080/", "http://h/"},
                                       {"http://h:000/", "http://h:0/"},
                                       {"http://h:65535/", "http://h:65535/"},
                                       {"http://h:65536/", BAD_PORT},
                                       {"http://h:4294967376/", BAD_PORT}, /* 80 + 2^32 */
                                       {"http://h:99999999999999999999/", BAD_PORT},
                                       {"http://h:8o/", BAD_PORT},
                                       {"http://h:-1/", BAD_PORT},
                                       {"http://h:80:80/", BAD_PORT},
                                       {"http://[::1]:80/", "http://[::1]/"},
                                       {"http://User:Pass@h/", "http://User:Pass@h/"},
                                       {"http://a@b@h/", "http://a%40b@h/"},
                                       {"http://@h/", "http://h/"},
                                       {"http://u%7e:p@h/", "http://u~:p@h/"},
                                       {"http://u:@h/", "http://u@h/"},
                                       {"http://:@h/", "http://h/"},
                                       {"http://:p@h/", "http://:p@h/"}};
    check(0, EXAMPLES, TWX_COUNTOF(EXAMPLES));
}

/* [R7] The spellings that browsers repair. */
TEST(r7_web_urls_are_read_as_browsers_read_them) {
    static const example EXAMPLES[] = {{"http:\\\\h\\a\\b?c\\d#e\\f", "http://h/a/b?c%5Cd"},
                                       {"http:/h/a", "http://h/a"},
                                       {"https:h", "https://h/"},
                                       {"http:////h//a", "http://h//a"},
                                       {"x:\\a", "x:%5Ca"},
                                       {"http://0x7f.1/", "http://127.0.0.1/"},
                                       {"http://017700000001/", "http://127.0.0.1/"},
                                       {"http://[0:0:1:0:0:0:0:1]/", "http://[0:0:1::1]/"},
                                       {"http://[0:0:0:0:0:0:0:0]/", "http://[::]/"},
                                       {"http://[1:0:0:0:0:0:0:0]/", "http://[1::]/"},
                                       {"http://[1:0:2:0:3:0:4:0]/", "http://[1:0:2:0:3:0:4:0]/"},
                                       {"http://h/?it's", "http://h/?it%27s"},
                                       {"x://h/?it's", "x://h/?it's"}};
    check(0, EXAMPLES, TWX_COUNTOF(EXAMPLES));
}

TEST(r2_dot_segments) {
    static const example EXAMPLES[] = {{"http://h/a/b/c/./../../g", "http://h/a/g"},
                                       {"http://h/..", "http://h/"},
                                       {"http://h/.", "http://h/"},
                                       {"http://h/../../a", "http://h/a"},
                                       {"http://h/a/..", "http://h/"},
                                       {"http://h/a/.", "http://h/a/"},
                                       {"http://h/a/b/..", "http://h/a/"},
                                       {"http://h/a//../b", "http://h/a/b"},
                                       {"http://h//", "http://h//"},
                                       {"http://h/a/%2e%2E/b", "http://h/b"},
                                       {"http://h/a/.../b", "http://h/a/.../b"},
                                       {"http://h/a/..b/.c", "http://h/a/..b/.c"},
                                       {"http://h/?a/../b", "http://h/?a/../b"},
                                       {"x:/.//y", "x:/.//y"}, /* [R5] "x://y" would have a host */
                                       {"x:/a/..//y", "x:/.//y"},
                                       {"x:/a/../y", "x:/y"}};
    check(0, EXAMPLES, TWX_COUNTOF(EXAMPLES));
}

TEST(r2_percent_encoding) {
    static const example EXAMPLES[] = {
        {"http://h/%41%7a%30%2d%2E%5f%7E", "http://h/Az0-._~"},
        {"http://h/%2f%3a%3F", "http://h/%2F%3A%3F"},
        {"http://h/a:b@c!$&'()*+,;=", "http://h/a:b@c!$&'()*+,;="},
        {"http://h/a b\"<>^`{|}[]?\\'", "http://h/a%20b%22%3C%3E%5E%60%7B%7C%7D%5B%5D?%5C%27"},
        {"http://h/\xC3\xA4?\xC3\xA4", "http://h/%C3%A4?%C3%A4"},
        {"http://h/\xFF", "http://h/%FF"},
        {"http://h/%", "http://h/%25"},
        {"http://h/%4", "http://h/%254"},
        {"http://h/%zz%4g", "http://h/%25zz%254g"},
        {"http://h/%%34%31", "http://h/%2541"},
        {"http://h/%2541", "http://h/%2541"},
        {"http://h/?a=%5b%5d&b[]=/?", "http://h/?a=%5B%5D&b%5B%5D=/?"},
        {"http://h/?a+b%20c d", "http://h/?a+b%20c%20d"},
        {"http://h/?", "http://h/?"}, /* [R5] */
        {"http://h/?a#b?c#d", "http://h/?a"},
        {"http://h/\x01\x7F", "http://h/%01%7F"}};
    check(0, EXAMPLES, TWX_COUNTOF(EXAMPLES));
}

TEST(r3_white_space) {
    static const example EXAMPLES[] = {{" \t\r\n http://h/a \n", "http://h/a"},
                                       {"ht\ntp://h\t/a\r\nb", "http://h/ab"},
                                       {"http://h/a b", "http://h/a%20b"},
                                       {"   ", "empty"},
                                       {"", "empty"}};
    check(0, EXAMPLES, TWX_COUNTOF(EXAMPLES));
}

TEST(r5_other_schemes) {
    static const example EXAMPLES[] = {{"mailto:A@Example.com", "mailto:A@Example.com"},
                                       {"URN:isbn:0-395-36341-1", "urn:isbn:0-395-36341-1"},
                                       {"urn:a/../b", "urn:a/../b"},
                                       {"file:///etc/./passwd", "file:///etc/passwd"},
                                       {"file:///", "file:///"},
                                       {"ftp://FTP.example.com", "ftp://ftp.example.com/"},
                                       {"ftp://a..b/", BAD_HOST},
                                       {"data:,a b", "data:,a%20b"},
                                       {"x:", "x:"},
                                       {"x+y-z.1:a", "x+y-z.1:a"},
                                       {"x://", "x:///"},
                                       {"//h/a", NO_SCHEME},
                                       {"/a/b", NO_SCHEME},
                                       {"a", NO_SCHEME},
                                       {"www.example.com/a:b", NO_SCHEME},
                                       {"1http://h/", NO_SCHEME},
                                       {"\"http://h/", NO_SCHEME},
                                       {":a", NO_SCHEME},
                                       {"?x:", NO_SCHEME}};
    check(0, EXAMPLES, TWX_COUNTOF(EXAMPLES));
}

TEST(the_parts_are_slices_of_the_whole) {
    twx_url u = url_normal(NULL, TWX_SLICE_LIT("HTTP://u:p@H.example:8080/a/../b?c=d#e"));
    assert_slice(u.whole, "http://u:p@h.example:8080/b?c=d");
    assert_slice(u.scheme, "http");
    assert_slice(u.userinfo, "u:p");
    assert_slice(u.host, "h.example");
    assert_slice(u.port, "8080");
    assert_slice(u.path, "/b");
    assert_slice(u.query, "c=d");
    assert_ptr_equal(u.host.p, u.whole.p + strlen("http://u:p@"));
    u = url_normal(NULL, TWX_SLICE_LIT("mailto:a"));
    assert_slice(u.host, NULL);
    assert_slice(u.query, NULL);
    assert_slice(u.userinfo, NULL);
    assert_slice(u.port, NULL);
    assert_slice(u.path, "a");
    u = url_normal(NULL, TWX_SLICE_LIT("file:///a?"));
    assert_slice(u.host, "");
    assert_slice(u.query, "");
    u = url_normal(NULL, TWX_SLICE_LIT("nothing"));
    assert_slice(u.whole, NULL);
    assert_slice(u.path, NULL);
    u = url_normal(NULL, (twx_slice){NULL, 0});
    assert_int_equal(u.fault, TWX_URL_EMPTY);
}

TEST(splitting_changes_nothing) {
    twx_url_parts p;
    twx_url_split(TWX_SLICE_LIT("a://b/c?d?#e#"), &p);
    assert_slice(p.scheme, "a");
    assert_slice(p.authority, "b");
    assert_slice(p.path, "/c");
    assert_slice(p.query, "d?");
    assert_slice(p.fragment, "e#");
    twx_url_split(TWX_SLICE_LIT("//"), &p);
    assert_slice(p.scheme, NULL);
    assert_slice(p.authority, "");
    assert_slice(p.path, "");
    twx_url_split((twx_slice){NULL, 0}, &p);
    assert_slice(p.path, "");
    twx_authority_parts a;
    twx_url_split_authority(TWX_SLICE_LIT("u@v@[::1]:2"), &a);
    assert_slice(a.userinfo, "u@v");
    assert_slice(a.host, "[::1]");
    assert_slice(a.port, "2");
    twx_url_split_authority(TWX_SLICE_LIT(""), &a);
    assert_slice(a.userinfo, NULL);
    assert_slice(a.host, "");
    assert_slice(a.port, NULL);
}

TEST(r6_optional_steps) {
    static const example SLASH[] = {{"http://h/a/", "http://h/a"},
                                    {"http://h/", "http://h/"},
                                    {"http://h/a//", "http://h/a"},
                                    {"http://h//", "http://h/"},
                                    {"ftp://h/a/", "ftp://h/a/"}};
    static const example INDEX[] = {{"http://h/a/index.html", "http://h/a/"},
                                    {"http://h/INDEX.PHP?a", "http://h/?a"},
                                    {"http://h/a/default.aspx", "http://h/a/"},
                                    {"http://h/myindex.html", "http://h/myindex.html"},
                                    {"http://h/index.html/a", "http://h/index.html/a"},
                                    {"http://h/index", "http://h/index"}};
    static const example SESSION[] = {
        {"http://h/a;jsessionid=1F?b=2", "http://h/a?b=2"},
        {"http://h/a;x=1;JSESSIONID=2;y/b;sid=4", "http://h/a;x=1;y/b"},
        {"http://h/a/..;jsessionid=1/b", "http://h/b"},
        {"http://h/;jsessionid=1", "http://h/"},
        {"http://h/?PHPSESSID=1", "http://h/"},
        {"http://h/?a=1&sid=2&b=3", "http://h/?a=1&b=3"},
        {"http://h/?sid", "http://h/"},
        {"http://h/?side=1&asid=2", "http://h/?side=1&asid=2"},
        {"http://h/?ASPSESSIONIDABC=1&%73id=2&a", "http://h/?a"},
        {"http://h/?", "http://h/?"},
        {"http://h/?a&&b", "http://h/?a&&b"}};
    static const example TRACKING[] = {
        {"http://h/?utm_source=a&id=1&UTM_x=2&gclid=3&fbclid", "http://h/?id=1"},
        {"http://h/?utm=1", "http://h/?utm=1"},
        {"http://h/?utm_source=a", "http://h/"}};
    static const example ORDER[] = {
        {"http://h/?b=1&a=2&a=1", "http://h/?a=1&a=2&b=1"},
        {"http://h/?a-b=1&a=2", "http://h/?a=2&a-b=1"}, /* by name first: '-' sorts before '=' */
        {"http://h/?b&a=&a", "http://h/?a&a=&b"},
        {"http://h/?&b&", "http://h/?&&b"},
        {"http://h/?a", "http://h/?a"}};
    check(TWX_URL_STEP_TRAILING_SLASH, SLASH, TWX_COUNTOF(SLASH));
    check(TWX_URL_STEP_INDEX_PAGE, INDEX, TWX_COUNTOF(INDEX));
    check(TWX_URL_STEP_SESSION, SESSION, TWX_COUNTOF(SESSION));
    check(TWX_URL_STEP_TRACKING, TRACKING, TWX_COUNTOF(TRACKING));
    check(TWX_URL_STEP_PARAMETER_ORDER, ORDER, TWX_COUNTOF(ORDER));
    assert_string_equal(url_norm(TWX_URL_STEP_INDEX_PAGE | TWX_URL_STEP_TRAILING_SLASH,
                                 "http://h/a/index.html/index.php//"),
                        "http://h/a");
    assert_string_equal(url_norm(~0u, "http://h/a;sid=1/index.php?z&sid=2&utm_a&b"),
                        "http://h/a?b&z");
}

TEST(steps_have_names) {
    unsigned all = 0;
    size_t n = 0;
    for (const char *name; (name = twx_url_step_name(n)); n++) all |= twx_url_step_of(name);
    assert_int_equal(n, 5);
    assert_int_equal(all, 31);
    assert_int_equal(twx_url_step_of("trailing_slash"), TWX_URL_STEP_TRAILING_SLASH);
    assert_int_equal(twx_url_step_of("index_page"), TWX_URL_STEP_INDEX_PAGE);
    assert_int_equal(twx_url_step_of("parameter_order"), TWX_URL_STEP_PARAMETER_ORDER);
    assert_int_equal(twx_url_step_of("session_parameters"), TWX_URL_STEP_SESSION);
    assert_int_equal(twx_url_step_of("tracking_parameters"), TWX_URL_STEP_TRACKING);
    assert_int_equal(twx_url_step_of("unknown"), 0);
    assert_string_equal(twx_url_fault_text((twx_url_fault)99), "unknown fault");
}

/* A URL of n bytes: head, then the piece over and over. */
static twx_slice long_url(const char *head, const char *piece, size_t n) {
    char *p = twx_arena_alloc(&url_cx, &url_arena, n, 1);
    size_t length = strlen(head), step = strlen(piece);
    assert_non_null(p);
    memcpy(p, head, length);
    for (size_t i = length; i < n; i++) p[i] = piece[(i - length) % step];
    return (twx_slice){p, n};
}

TEST(r4_half_a_megabyte_is_linear) {
    static const char *const PIECES[] = {
        "/..", "/.", "/a/..", "/",    "%",  "%2e", "?", "&",       ";sid=1",  "/index.html",
        "#",   "@",  ":",     "a=1&", "a.", "\t",  "[", "/../a/b", "?sid=1&", "&utm_a=1&b=2"};
    static const char *const HEADS[] = {"http://h/",    "http://h/?", "http://",
                                        "http://h/a/b", "x:",         "x:/"};
    const twx_url_options options = {.steps = ~0u};
    for (size_t i = 0; i < TWX_COUNTOF(PIECES); i++) {
        for (size_t j = 0; j < TWX_COUNTOF(HEADS); j++) {
            twx_url once = url_normal(&options, long_url(HEADS[j], PIECES[i], TWX_URL_MAX / 2));
            if (once.fault == TWX_URL_OK)
                assert_true(twx_slice_eq(once.whole, url_normal(&options, once.whole).whole));
            twx_arena_reset(&url_arena);
        }
    }
}

TEST(r4_too_long_is_not_usable) {
    assert_int_equal(url_normal(NULL, long_url("http://h/", "a", TWX_URL_MAX)).fault, TWX_URL_OK);
    assert_int_equal(url_normal(NULL, long_url("http://h/", "a", TWX_URL_MAX + 1)).fault,
                     TWX_URL_TOO_LONG);
    assert_int_equal(url_normal(NULL, long_url("http://h/", "\xE4", TWX_URL_MAX)).fault,
                     TWX_URL_TOO_LONG);
    assert_int_equal(url_normal(NULL, long_url("http://", "a", 7 + 255)).fault, TWX_URL_OK);
    assert_int_equal(url_normal(NULL, long_url("http://", "a", 7 + 256)).fault, TWX_URL_BAD_HOST);
    assert_int_equal(url_normal(NULL, long_url("http://", "\xC3\xA4", 4000)).fault,
                     TWX_URL_BAD_HOST);
    assert_int_equal(url_normal(NULL, long_url("http://", "%61", 7 + 3 * 255)).fault, TWX_URL_OK);
}

TEST(ten_thousand_parameters_are_ordered) {
    const twx_url_options options = {.steps = ~0u};
    twx_buf text = {.max = TWX_URL_MAX};
    assert_ok(twx_buf_add_text(&url_cx, &text, "http://h/?"));
    for (int i = 9999; i >= 0; i--)
        assert_ok(twx_buf_printf(&url_cx, &text, "p%05d=%d&utm_%d=1&", i, i, i));
    twx_url u = url_normal(&options, twx_buf_slice(&text));
    twx_buf_done(&text);
    assert_true(twx_slice_starts(u.query, TWX_SLICE_LIT("&p00000=0&p00001=1&p00002=2&")));
    assert_true(twx_slice_eq(twx_slice_sub(u.query, u.query.n - 11, u.query.n),
                             TWX_SLICE_LIT("p09999=9999")));
}

TEST(nul_bytes_are_encoded) {
    assert_slice(url_normal(NULL, TWX_SLICE_LIT("http://h/a\0b?\0c\0")).whole,
                 "http://h/a%00b?%00c");
    assert_int_equal(url_normal(NULL, TWX_SLICE_LIT("http://h\0/")).fault, TWX_URL_BAD_HOST);
    assert_int_equal(url_normal(NULL, TWX_SLICE_LIT("h\0ttp://h/")).fault, TWX_URL_RELATIVE);
    assert_int_equal(url_normal(NULL, TWX_SLICE_LIT("http://[::1\0]/")).fault, TWX_URL_BAD_HOST);
}

/* Allocation 1, 2, 3 ... fails: the error comes out, nothing leaks, the result is untouched. */
TEST(every_allocation_may_fail) {
    const twx_url_options options = {.steps = ~0u};
    twx_faults faults = {.fail_at = 1};
    twx_rc rc = TWX_E_NOMEM;
    for (; rc != TWX_OK; faults.fail_at++) {
        twx_ctx cx = {0};
        twx_arena arena = {0};
        twx_url u = {.fault = TWX_URL_BAD_PORT};
        cx.faults = &faults;
        atomic_store(&faults.count, 0);
        rc = twx_url_normalize(&cx, &arena, &options, TWX_SLICE_LIT("http://b\u00FCcher/\t?b&a"),
                               &u);
        if (rc != TWX_OK) {
            assert_int_equal(rc, TWX_E_NOMEM);
            assert_int_equal(u.fault, TWX_URL_BAD_PORT);
        }
        twx_arena_done(&arena);
        assert_true(faults.fail_at < 100);
    }
    assert_true(faults.fail_at > 2);
}
