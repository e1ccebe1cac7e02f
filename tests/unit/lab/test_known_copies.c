/* lab/eval_labels: the lines of a file of known copies, and the URLs that they relate. */
#include "support.h"

#include "lab/lab.h"

static twx_rc parse(twx_ctx *cx, twx_arena *arena, const char *line, twx_known_rule *ret_rule) {
    twx_ctx_init(cx);
    return twx_known_rule_parse(cx, twx_slice_of(line), "known.tsv:7", arena, ret_rule);
}

TEST(lines_are_parsed) {
    static const char *const SKIPPED[] = {"",
                                          "  \r",
                                          "# mirror\ta\tb",
                                          "version\thttp://a.test/1/\thttp://a.test/2/",
                                          "variant\thttp://a.test/\thttp://b.test/",
                                          "redirect\thttp://a.test/\thttp://b.test/"};
    static const char *const BAD[] = {"mirror", "mirror\thttp://a.test/",
                                      "mirror\t\thttp://b.test/", "mirror\thttp://a.test/\t "};
    twx_arena arena = {0};
    twx_ctx cx;
    twx_known_rule rule;
    for (size_t i = 0; i < TWX_COUNTOF(SKIPPED); i++)
        assert_int_equal(parse(&cx, &arena, SKIPPED[i], &rule), TWX_DONE);
    for (size_t i = 0; i < TWX_COUNTOF(BAD); i++) {
        assert_int_equal(parse(&cx, &arena, BAD[i], &rule), TWX_E_DATA);
        assert_string_equal(cx.message, "known.tsv:7: not 'relation TAB prefix TAB prefix'");
    }
    assert_ok(parse(&cx, &arena, "mirror\t http://a.test/\thttp://b.test/pub/\r", &rule));
    assert_true(twx_slice_eq(rule.prefix, TWX_SLICE_LIT("http://a.test/")));
    assert_true(twx_slice_eq(rule.other, TWX_SLICE_LIT("http://b.test/pub/")) && !rule.query);
    assert_ok(parse(&cx, &arena, "query-near\thttp://a.test/*\t?sid= ?print=", &rule));
    assert_true(twx_slice_eq(rule.prefix, TWX_SLICE_LIT("http://a.test/")) && rule.query);
    twx_arena_done(&arena);
}

TEST(rules_are_applied_to_urls) {
    const struct {
        const char *line, *url, *other; /* NULL: the rule says nothing about the URL */
    } CASES[] = {
        {"mirror\thttp://a.test/\thttp://b.test/pub/", "http://a.test/x?y=1",
         "http://b.test/pub/x?y=1"},
        {"mirror\thttp://a.test/\thttp://b.test/pub/", "http://a.test/", "http://b.test/pub/"},
        {"mirror\thttp://a.test/\thttp://b.test/pub/", "http://a.tes", NULL},
        {"mirror\thttp://a.test/\thttp://b.test/pub/", "http://c.test/x", NULL},
        {"query-near\thttp://a.test/*\t?sid= ?print=", "http://a.test/x?print=1",
         "http://a.test/x"},
        {"query-near\thttp://a.test/*\t?sid= ?print=", "http://a.test/x?sid=", "http://a.test/x"},
        {"query-near\thttp://a.test/*\t?sid= ?print=", "http://a.test/x?page=1", NULL},
        {"query-near\thttp://a.test/*\t?sid= ?print=", "http://a.test/x?sid=1&page=2", NULL},
        {"query-near\thttp://a.test/*\t?sid= ?print=", "http://a.test/x?sid", NULL},
        {"query-near\thttp://a.test/*\t?sid= ?print=", "http://a.test/x", NULL},
        {"query-near\thttp://a.test/*\t?sid= ?print=", "http://b.test/x?sid=1", NULL},
    };
    twx_arena arena = {0};
    twx_buf room = {.max = 1 << 16};
    twx_ctx cx;
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        twx_known_rule rule;
        twx_slice other = {0};
        assert_ok(parse(&cx, &arena, CASES[i].line, &rule));
        const twx_rc rc = twx_known_rule_apply(&cx, &rule, twx_slice_of(CASES[i].url), &room,
                                               &other);
        assert_int_equal(rc, CASES[i].other ? TWX_OK : TWX_DONE);
        if (CASES[i].other && !twx_slice_eq(other, twx_slice_of(CASES[i].other)))
            fail_msg("%s: " TWX_SLICE_FMT, CASES[i].url, TWX_SLICE_ARG(other));
    }
    twx_buf_done(&room);
    twx_arena_done(&arena);
}
