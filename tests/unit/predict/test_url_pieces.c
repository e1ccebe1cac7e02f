/* url/hypotheses.c: how a URL falls into parts; URLs that mean harm, and what they cost. */
#include "support.h"

#include "predict/predict.h"

static twx_url_pieces parts;
static twx_url_variants page;

static void expect(twx_slice s, const char *text) {
    if (!twx_slice_eq(s, twx_slice_of(text)))
        fail_msg("'" TWX_SLICE_FMT "' is not '%s'", TWX_SLICE_ARG(s), text);
}

static void split(const char *url) {
    twx_url_pieces_of(twx_slice_of(url), &parts);
}

TEST(r1_origin_path_and_query) {
    split("http://u@h:8080/a/b?x=1&y#f");
    expect(parts.origin, "http://u@h:8080");
    expect(parts.path, "/a/b");
    expect(parts.query, "x=1&y");
    assert_int_equal(parts.segments_n, 2);
    expect(parts.segments[0], "a");
    expect(parts.segments[1], "b");
    assert_null(parts.more_path.p);
    assert_null(parts.more_query.p);
}

TEST(segments_keep_slashes_apart) {
    split("http://h/");
    assert_int_equal(parts.segments_n, 1);
    expect(parts.segments[0], "");
    split("http://h/a//b/");
    assert_int_equal(parts.segments_n, 4);
    expect(parts.segments[1], "");
    expect(parts.segments[3], "");
    split("mailto:a/b@c");
    assert_int_equal(parts.segments_n, 1);
    expect(parts.origin, "mailto:");
    expect(parts.segments[0], "a/b@c");
}

TEST(r3_names_and_values_of_all_kinds) {
    static const char *const NAMES[] = {"a", "", "", "b", "c", "a", "%zz", "\xff"};
    static const char *const VALUES[] = {"1", "2", "", "=3", NULL, "", "%", "\xfe"};
    split("http://h/?a=1&&=2&=&b==3&&&c&a=&%zz=%&\xff=\xfe&");
    assert_int_equal(parts.parameters_n, 8);
    for (size_t i = 0; i < 8; i++) {
        expect(parts.parameters[i].name, NAMES[i]);
        if (!VALUES[i])
            assert_null(parts.parameters[i].value.p);
        else
            expect(parts.parameters[i].value, VALUES[i]);
    }
    assert_null(parts.more_query.p);
    split("http://h/?");
    assert_int_equal(parts.parameters_n, 0);
    assert_non_null(parts.query.p);
    split("http://h/");
    assert_null(parts.query.p);
}

TEST(r2_more_than_is_looked_at) {
    char url[4096] = "http://h";
    size_t n = strlen(url);
    for (int i = 0; i < TWX_URL_SEGMENTS + 2; i++)
        n += (size_t)snprintf(url + n, sizeof url - n, "/s%d", i);
    for (int i = 0; i < TWX_URL_PARAMETERS + 2; i++)
        n += (size_t)snprintf(url + n, sizeof url - n, "%cp%d=%d", i ? '&' : '?', i, i);
    split(url);
    assert_int_equal(parts.segments_n, TWX_URL_SEGMENTS);
    expect(parts.more_path, "/s16/s17");
    assert_int_equal(parts.parameters_n, TWX_URL_PARAMETERS);
    expect(parts.more_query, "p64=64&p65=65");
}

/* Both keys cover the whole query, including parameters beyond the bound. */
TEST(what_exceeds_the_bounds_still_counts) {
    char a[4096] = "http://h/?", b[4096];
    size_t n = strlen(a);
    for (int i = 0; i < 100; i++) n += (size_t)snprintf(a + n, sizeof a - n, "p%d=1&", i);
    memcpy(b, a, sizeof b);
    b[n - 2] = '2';
    twx_url_variants_of(twx_slice_of(a), &page);
    const uint64_t whole = page.whole;
    twx_url_variants_of(twx_slice_of(b), &page);
    assert_true(page.whole != whole);
}

TEST(no_url_at_all) {
    static const char *const URLS[] = {"", "?", "&", "/", ":", "//", "?&&", "a", "#"};
    for (size_t i = 0; i < sizeof URLS / sizeof *URLS; i++)
        twx_url_variants_of(twx_slice_of(URLS[i]), &page);
    twx_url_variants_of((twx_slice){NULL, 0}, &page);
    assert_int_equal(page.parts.parameters_n, 0);
}

/* ---- cost: a URL sixteen times as long takes at most forty times the time --- */

/* The mean of as many calls as take 30 ms: some kernels count by ticks of 10 ms. */
static double cost(twx_slice url, const twx_model *m) {
    const double long_enough = 0.03, from = test_seconds(CLOCK_PROCESS_CPUTIME_ID);
    double took = 0;
    size_t calls = 0;
    for (; took < long_enough; calls++, took = test_seconds(CLOCK_PROCESS_CPUTIME_ID) - from) {
        twx_url_variants_of(url, &page);
        (void)twx_model_predict(m, NULL, &page);
    }
    return took / (double)calls;
}

TEST(r2_hostile_urls_cost_no_more_than_their_length) {
    static const char *const PIECES[] = {
        "&", "a=1&", "a&", "=&", "%", "/", ";", "\xff", "a=%zz&", "/a;b=1", "0123456789abcdef/",
        "x"};
    enum { SHORT = 64 << 10, LONG = 1 << 20 };
    static char url[LONG];
    twx_model m;
    twx_model_init(&m);
    for (size_t p = 0; p < 2 * (sizeof PIECES / sizeof *PIECES); p++) {
        const char *piece = PIECES[p / 2], *head = p % 2 ? "http://h/?" : "http://h/";
        const size_t length = strlen(piece), start = strlen(head);
        memcpy(url, head, start);
        for (size_t i = start; i < LONG; i++) url[i] = piece[(i - start) % length];
        const double little = cost((twx_slice){url, SHORT}, &m),
                     much = cost((twx_slice){url, LONG}, &m);
        if (much > 40 * little)
            fail_msg("'%s' of '%s': %g s, then %g s", head, piece, little, much);
    }
    twx_model_done(&m);
}

/* The cost of a URL with so many parameters, all of different names. */
static double cost_of_parameters(int parameters, const twx_model *m) {
    static char url[200000];
    size_t n = (size_t)snprintf(url, sizeof url, "http://h/?");
    for (int i = 0; i < parameters; i++)
        n += (size_t)snprintf(url + n, sizeof url - n, "name%d=%d&", i, i);
    return cost((twx_slice){url, n}, m);
}

TEST(r2_sixteen_times_as_many_parameters) {
    twx_model m;
    twx_model_init(&m);
    const double little = cost_of_parameters(625, &m), much = cost_of_parameters(10000, &m);
    assert_true(page.variants_n <= TWX_VARIANTS_MAX);
    if (much > 40 * little) fail_msg("%g s, then %g s", little, much);
    twx_model_done(&m);
}
