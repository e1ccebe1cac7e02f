/* judge/parameters.c: model files, what they make equal, and reasons; url/hypotheses.c: when the
 * evidence suffices. */
#include "support.h"

#include <math.h>

#include "judge/judge.h"

static const char MODEL[] =
    "# a comment\n"
    "\n"
    "parameter 1000 0 path=a.example/ name=sid\n"
    "path-parameter 3 1 path=https://a.example/view name=sid\n"
    "path-parameter 500 0 path=https://a.example/list name=sort\n"
    "added 600 0 path=a.example/ name=print value=1\n"
    "added 600 0 path=a.example/ name=raw\n"
    "added 600 0 path=a.example/ name=full value=\n"
    "path-value 600 0 path=https://a.example/view name=lang value=en\n"
    "path 700 0 path=https://a.example/help\r\n" /* as on Windows */
    "segment 800 0 path=a.example name=index.html\n"
    "session-segment 900 0 path=a.example/s/\n"
    "path-suffix 900 0 path=a.example name=jsessionid\n"
    "parameter 20 0 path=a.example/ name=rare\n"
    "origin 950 0 path=https://m.a.example value=https://a.example\n"
    "origin 950 0 path=https://a.example value=https://b.example\n"
    "origin 400 0 path=https://a.example value=https://cdn.a.example/pub/docs\n";

static twx_ctx cx;
static char path[] = "m.model";

static twx_rc parse(const char *head, const char *text, uint32_t least_ppm,
                    twx_parameters **ret_parameters) {
    const twx_parameters_from from = {path, twx_model_fingerprint(&(twx_url_options){0}),
                                      least_ppm};
    char whole[4096];
    if (head)
        snprintf(whole, sizeof whole, "%s%s", head, text);
    else
        snprintf(whole, sizeof whole, TWX_PARAMETERS_BEGIN "%016" PRIx64 "\r\n%s", from.urls, text);
    return twx_parameters_parse(&cx, &from, twx_slice_of(whole), ret_parameters);
}

static uint64_t key(twx_parameters *m, const char *url) {
    return twx_parameters_key(m, twx_slice_of(url), NULL, NULL);
}

TEST(what_was_learned_makes_urls_equal) {
    static const struct {
        const char *a, *b;
        bool equal;
    } PAIRS[] = {
        {"https://a.example/x?id=1&sid=2", "https://a.example/x?id=1", true},
        {"https://a.example/x?sid=2&id=1&sid=3", "https://a.example/x?id=1", true},
        {"https://a.example/x?sid", "https://a.example/x", true},
        {"https://a.example/x?id=1", "https://a.example/x?id=2", false},
        {"https://c.example/x?sid=2", "https://c.example/x", false},     /* another host */
        {"https://a.example/x/y?sid=2", "https://a.example/x/y", false}, /* another folder */
        /* contradicted on this path */
        {"https://a.example/view?sid=2", "https://a.example/view", false},
        {"https://a.example/list?sort=a&sid=1", "https://a.example/list", true},
        {"https://a.example/x?sort=a", "https://a.example/x", false},
        {"https://a.example/x?print=1", "https://a.example/x", true},
        {"https://a.example/x?print=2", "https://a.example/x", false},
        {"https://a.example/x?raw", "https://a.example/x", true},
        {"https://a.example/x?raw=", "https://a.example/x", false}, /* an empty value is one */
        {"https://a.example/x?full=", "https://a.example/x", true},
        {"https://a.example/x?full", "https://a.example/x", false},
        /* as good as another value, but the page may need one */
        {"https://a.example/view?lang=en", "https://a.example/view", false},
        {"https://a.example/help?a=1&b=2", "https://a.example/help", true},
        {"https://a.example/d/index.html", "https://a.example/d/", true},
        {"https://a.example/index.html/x", "https://a.example/x", true},
        {"https://a.example/s/0123456789abcdef/x", "https://a.example/s/fedcba9876543210/x", true},
        {"https://a.example/s/0123456789abcdef/x", "https://a.example/s/x", false},
        {"https://a.example/d;jsessionid=1/e?id=1", "https://a.example/d/e?id=1", true},
        {"https://a.example/x?rare=1", "https://a.example/x", false}, /* too few trials */
        {"https://m.a.example/x", "https://a.example/x", true},
        {"https://cdn.a.example/pub/docs/x", "https://m.a.example/x", true},
        {"https://cdn.a.example/pub/x", "https://a.example/x", false},
        {"https://m.a.example/x?sid=1&id=2", "https://a.example/x?id=2", false}, /* with id */
        {"https://b.example/x", "https://a.example/x", false}, /* another domain */
    };
    twx_parameters *m = NULL;
    assert_int_equal(parse(NULL, MODEL, 980000, &m), TWX_OK);
    assert_int_equal(twx_parameters_count(m), 15);
    for (size_t i = 0; i < TWX_COUNTOF(PAIRS); i++)
        if ((key(m, PAIRS[i].a) == key(m, PAIRS[i].b)) != PAIRS[i].equal)
            fail_msg("%s, %s: not %d", PAIRS[i].a, PAIRS[i].b, PAIRS[i].equal);
    twx_parameters_close(m);
}

/* All parameters of a URL are left out in a few passes, whatever their number and order. */
TEST(a_url_of_many_parameters) {
    enum { PARAMETERS = 60 };
    char model[4096] = "", url[TWX_FACTS_URL_MAX], *line = model, *at = url;
    twx_parameters *m = NULL;
    at += sprintf(at, "https://a.example/x?");
    for (int i = 0; i < PARAMETERS; i++) {
        line += sprintf(line, "parameter 500 0 path=a.example/ name=p%d\n", i);
        at += sprintf(at, "p%d=%d&%s", i, i, i % 20 ? "" : "id=1&");
    }
    assert_int_equal(parse(NULL, model, 980000, &m), TWX_OK);
    assert_int_equal(key(m, url), key(m, "https://a.example/x?id=1&id=1&id=1"));
    twx_parameters_close(m);
}

TEST(reasons_name_the_part_and_its_evidence) {
    const twx_context *why[TWX_PARAMETERS_WHY];
    twx_parameters *m = NULL;
    twx_buf text = {.max = 1000};
    size_t n = 0;
    assert_int_equal(parse(NULL, MODEL, 980000, &m), TWX_OK);
    (void)twx_parameters_key(m, TWX_SLICE_LIT("https://m.a.example/x?print=1"), why, &n);
    assert_int_equal(n, 0); /* of m.a.example nothing is known of print */
    (void)twx_parameters_key(m, TWX_SLICE_LIT("https://a.example/d;jsessionid=1?sid=1"), why, &n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(twx_parameters_reason(&cx, why[i], &text), TWX_OK);
        assert_int_equal(twx_buf_add_char(&cx, &text, '\n'), TWX_OK);
    }
    assert_string_equal(text.p,
                        "parameter sid of a.example/ changes nothing, 1000 of 1000 pairs\n"
                        "path-suffix jsessionid of a.example changes nothing, 900 of 900 pairs\n");
    twx_buf_done(&text);
    twx_parameters_close(m);
}

/* A query of a base says nothing, and must not make a place look longer than it is. */
TEST(a_url_never_grows) {
    twx_parameters *m = NULL;
    const twx_context *why[TWX_PARAMETERS_WHY];
    char text[500], url[TWX_FACTS_URL_MAX];
    size_t n = 1;
    snprintf(text, sizeof text,
             "origin 950 0 path=https://a.example?%0290d value=https://%060d.a.example\n", 0, 0);
    snprintf(url, sizeof url, "https://a.example/%01005d", 0);
    assert_int_equal(parse(NULL, text, 980000, &m), TWX_OK);
    (void)twx_parameters_key(m, twx_slice_of(url), why, &n);
    assert_int_equal(n, 0);
    twx_parameters_close(m);
}

TEST(a_file_that_is_no_model_is_an_error_of_a_line) {
    static const struct {
        const char *head, *text, *says;
    } FILES[] = {
        {"", "", "m.model:1: '' is not the first line"},
        {"parameter 5 0 path=a.example/ name=b\n", "", "m.model:1: "},
        {TWX_PARAMETERS_BEGIN "0000000000000001\n", "",
         "is of another version, or other url.* settings"},
        {NULL, "path 5 0 path=a://b/c\npath 5 0 path=a://b",
         "m.model:3: 'path 5 0 path=a://b' is the last line"},
        {NULL, "no-form 5 0 path=a.example/\n", "m.model:2: 'no-form' is not a form"},
        {NULL, "\nparameter 5 path=a.example/\n", "m.model:3: 'path=a.example/' is not a number"},
        {NULL, "parameter 5 4294967296 path=a.example/ name=b\n", "is not a number of pairs"},
        {NULL, "parameter 5 0 path=a.example/ nam=b\n", "'nam=b' is not path=, name= or"},
        {NULL, "parameter 5 0 path=a.example/\n", "lacks its path or name"},
        {NULL, "pair 5 0 path=a.example/ name=b\n", "is of another form"},
        {NULL, "path 5 0 path=a://b/c\npath 6 0 path=a://b/c\n", "m.model:3: 'path 6 0"},
    };
    for (size_t i = 0; i < TWX_COUNTOF(FILES); i++) {
        twx_parameters *m = NULL;
        twx_ctx_clear(&cx);
        const twx_rc rc = parse(FILES[i].head, FILES[i].text, 980000, &m);
        if (rc != TWX_E_CONFIG || m || !strstr(cx.message, FILES[i].says))
            fail_msg("%zu: %d, '%s', not '%s'", i, rc, cx.message, FILES[i].says);
    }
}

/* The whole numbers say what the probability says. */
TEST(evidence_beyond_the_threshold) {
    twx_parameters *a = NULL, *b = NULL;
    test_rng rng = test_rng_seed(1);
    for (int i = 0; i < 100000; i++) {
        const twx_context c = {.row = TWX_ORIGINS,
                               .path = TWX_SLICE_LIT("https://a.example"),
                               .value = TWX_SLICE_LIT("https://b.example"),
                               .dup = (uint32_t)test_rng_below(&rng, 1 + (1u << (i % 16))),
                               .nodup = (uint32_t)test_rng_below(&rng, 1 + (1u << (i % 7)))};
        const uint32_t ppm = (uint32_t)test_rng_below(&rng, 1000000);
        const double n = (double)c.dup + c.nodup + 2, p = (c.dup + 1) / n;
        const double low = c.dup + c.nodup < TWX_TRIALS_LEAST ? -1
                                                              : p - 1.96 * sqrt(p * (1 - p) / n);
        if (fabs(low - ppm / 1e6) > 1e-9 && twx_context_is_sure(&c, ppm) != (low >= ppm / 1e6))
            fail_msg("%" PRIu32 ", %" PRIu32 ": %f, %" PRIu32, c.dup, c.nodup, low, ppm);
    }
    const twx_context most = {.dup = UINT32_MAX};
    assert_true(twx_context_is_sure(&most, 999990));
    assert_int_equal(parse(NULL, MODEL, 980000, &a), TWX_OK);
    assert_int_equal(parse(NULL, MODEL, 900000, &b), TWX_OK);
    assert_int_equal(twx_parameters_fingerprint(NULL), 0);
    assert_true(twx_parameters_fingerprint(a) == twx_parameters_fingerprint(b)); /* of the file */
    assert_true(key(b, "https://a.example/x?rare=1") != key(b, "https://a.example/x"));
    twx_parameters_close(b);
    assert_int_equal(parse(NULL, MODEL, 800000, &b), TWX_OK);
    assert_int_equal(key(b, "https://a.example/x?rare=1"), key(b, "https://a.example/x"));
    twx_parameters_close(a);
    twx_parameters_close(b);
}
