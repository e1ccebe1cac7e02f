#include "support.h"

#include <math.h>

#include "run/run.h"

#define TEXT(s) \
    { .type = TWX_TEXT, .bytes = TWX_SLICE_LIT(s) }
#define INT(n) \
    { .type = TWX_INT, .i = (n) }
#define REAL(x) \
    { .type = TWX_REAL, .r = (x) }

typedef struct fixture {
    twx_ctx cx;
    twx_arena arena;
    twx_value columns[TWX_COLUMNS];
    twx_url url;
    twx_facts facts;
    unsigned odd;
} fixture;

static void setup(fixture *f) {
    twx_arena_init(&f->arena, 1 << 20);
    f->columns[TWX_COL_URL] = (twx_value)TEXT("https://www.Example.com/a");
}

static void teardown(fixture *f) {
    twx_arena_done(&f->arena);
}

/* The facts when a column has a value. */
static const twx_facts *with(fixture *f, twx_column column, twx_value value) {
    f->columns[column] = value;
    f->odd = 0;
    assert_ok(twx_facts_of(&f->cx, &f->arena, &(twx_url_options){0}, f->columns, &f->url, &f->facts,
                           &f->odd));
    return &f->facts;
}

TEST_OF(the_url_says_scheme_www_host_and_length, fixture *f) {
    const twx_facts *x = with(f, TWX_COL_TITLE, (twx_value){0});
    const uint64_t domain = x->domain_key, key = x->url_key;
    assert_int_equal(x->bits, TWX_FACT_USABLE | TWX_FACT_WEB | TWX_FACT_HTTPS | TWX_FACT_WWW);
    assert_int_equal(x->url_length, strlen("https://www.example.com/a"));
    assert_true(twx_slice_eq(x->host, TWX_SLICE_LIT("www.example.com")));
    x = with(f, TWX_COL_URL, (twx_value)TEXT("http://shop.example.com/a"));
    assert_int_equal(x->bits, TWX_FACT_USABLE | TWX_FACT_WEB);
    assert_true(x->domain_key == domain && x->url_key != key);
    assert_int_equal(with(f, TWX_COL_URL, (twx_value)TEXT("ftp://www.example.com/"))->bits,
                     TWX_FACT_USABLE);
    x = with(f, TWX_COL_URL, (twx_value)TEXT("/relative"));
    assert_int_equal(x->bits, 0);
    assert_int_equal(x->url_length, 9);
    assert_int_equal(f->odd, TWX_ODD_URL);
    assert_int_equal(with(f, TWX_COL_URL, (twx_value)INT(5))->bits, 0);
    assert_int_equal(with(f, TWX_COL_URL, (twx_value){0})->bits, 0);
}

/* The same with steps of the normal form. */
static uint32_t form_bits(fixture *f, unsigned steps, twx_value url) {
    const twx_url_options options = {.steps = steps};
    f->columns[TWX_COL_URL] = url;
    assert_ok(twx_facts_of(&f->cx, &f->arena, &options, f->columns, &f->url, &f->facts, &f->odd));
    return f->facts.bits & (TWX_FACT_EXTRAS | TWX_FACT_VIEW);
}

TEST_OF(the_url_says_what_could_be_removed, fixture *f) {
    const unsigned slash = TWX_URL_STEP_TRAILING_SLASH, order = TWX_URL_STEP_PARAMETER_ORDER;
    const twx_value folder = TEXT("http://a.example/b/"), pair = TEXT("http://a.example/?b=1&a=2"),
                    session = TEXT("http://a.example/?sid=3f9a8c7e"),
                    story = TEXT("http://a.example/?sid=3"),
                    print = TEXT("http://a.example/p?print=1");
    assert_int_equal(form_bits(f, 0, folder), 0);
    assert_int_equal(form_bits(f, slash, folder), TWX_FACT_EXTRAS);
    assert_int_equal(form_bits(f, order | slash, pair), 0); /* in order nothing is removed */
    assert_int_equal(form_bits(f, 0, session), TWX_FACT_EXTRAS);
    assert_int_equal(form_bits(f, TWX_URL_STEP_SESSION, session), TWX_FACT_EXTRAS);
    assert_int_equal(form_bits(f, TWX_URL_STEP_TRACKING, session), TWX_FACT_EXTRAS);
    assert_int_equal(form_bits(f, 0, story), 0); /* too short for a session */
    assert_int_equal(form_bits(f, TWX_URL_STEP_SESSION, story), TWX_FACT_EXTRAS);
    assert_int_equal(form_bits(f, slash, print), TWX_FACT_VIEW);
    assert_int_equal(form_bits(f, slash, (twx_value)TEXT("/relative/")), 0);
}

TEST_OF(a_status_may_be_written_as_text, fixture *f) {
    const struct {
        twx_value value;
        int status;
        bool odd;
    } CASES[] = {{INT(200), 200, false},       {TEXT("404"), 404, false},
                 {TEXT(" 301 "), 301, false},  {REAL(200.0), 200, false},
                 {TEXT(""), -1, false},        {{0}, -1, false},
                 {TEXT("OK"), 200, false},     {INT(-5), 0, true},
                 {TEXT("200 OK"), 200, false}, {TEXT("HTTP/1.1 404 Not Found"), 404, false},
                 {TEXT("200.0"), 200, false},  {TEXT("200-ok"), 200, false},
                 {TEXT("200x"), 0, true},      {TEXT("200.x"), 0, true},
                 {TEXT("HTTP/1.1"), 0, true},  {TEXT("-200"), 0, true},
                 {TEXT("okay"), 0, true},      {TEXT("1234567"), 0, true},
                 {INT(INT64_MAX), 0, true},    {REAL(NAN), 0, true},
                 {TEXT("-"), 0, true},         {TEXT("99999999999999999999"), 0, true}};
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        if (with(f, TWX_COL_HTTP_STATUS, CASES[i].value)->status != CASES[i].status)
            fail_msg("case %zu", i);
        assert_int_equal(f->odd != 0, CASES[i].odd);
    }
}

TEST_OF(a_failure_is_a_text_or_a_flag, fixture *f) {
    const struct {
        twx_value value;
        bool failed;
    } CASES[] = {
        {TEXT("timeout"), true}, {TEXT(""), false}, {TEXT(" \n"), false}, {{0}, false},
        {INT(0), false},         {INT(1), true},    {REAL(0.5), true},    {REAL(0), false}};
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++)
        assert_int_equal((with(f, TWX_COL_FAILURE, CASES[i].value)->bits & TWX_FACT_FAILED) != 0,
                         CASES[i].failed);
}

TEST_OF(robots_are_words_or_yacys_bits, fixture *f) {
    assert_true(with(f, TWX_COL_ROBOTS, (twx_value)TEXT("NOINDEX"))->bits & TWX_FACT_NOINDEX);
    assert_true(with(f, TWX_COL_ROBOTS, (twx_value)INT(8))->bits & TWX_FACT_NOINDEX);
    assert_false(with(f, TWX_COL_ROBOTS, (twx_value)INT(4))->bits & TWX_FACT_NOINDEX);
    assert_false(with(f, TWX_COL_ROBOTS, (twx_value)REAL(8))->bits & TWX_FACT_NOINDEX);
}

TEST_OF(dates_are_seconds_or_iso_8601, fixture *f) {
    assert_int_equal(with(f, TWX_COL_FETCHED_AT, (twx_value)INT(-7))->fetched_at, -7);
    assert_int_equal(with(f, TWX_COL_FETCHED_AT, (twx_value)TEXT("1714557630"))->fetched_at,
                     1714557630);
    assert_int_equal(
        with(f, TWX_COL_FETCHED_AT, (twx_value)TEXT("2024-05-01T10:00:30Z"))->fetched_at,
        1714557630);
    assert_int_equal(with(f, TWX_COL_FETCHED_AT, (twx_value)REAL(1714557630.9))->fetched_at,
                     1714557630);
    assert_true(f->facts.bits & TWX_FACT_DATED);
    assert_false(with(f, TWX_COL_FETCHED_AT, (twx_value)TEXT("yesterday"))->bits & TWX_FACT_DATED);
    assert_int_equal(f->odd, TWX_ODD_DATE);
    assert_false(with(f, TWX_COL_FETCHED_AT, (twx_value)TEXT(""))->bits & TWX_FACT_DATED);
    assert_int_equal(f->odd, 0);
}

TEST_OF(scores_are_numbers, fixture *f) {
    assert_true(with(f, TWX_COL_SCORE, (twx_value)INT(3))->score_order == twx_score_order(3));
    assert_true(with(f, TWX_COL_SCORE, (twx_value)REAL(-0.5))->score_order ==
                twx_score_order(-0.5));
    assert_true(with(f, TWX_COL_SCORE, (twx_value)TEXT("12"))->score_order == twx_score_order(12));
    assert_true(f->facts.bits & TWX_FACT_SCORED);
    assert_false(with(f, TWX_COL_SCORE, (twx_value)TEXT("high"))->bits & TWX_FACT_SCORED);
    assert_false(with(f, TWX_COL_SCORE, (twx_value)REAL(NAN))->bits & TWX_FACT_SCORED);
}

TEST_OF(the_link_is_the_redirect_or_else_the_canonical_url, fixture *f) {
    const uint64_t own = with(f, TWX_COL_TITLE, (twx_value){0})->url_key;
    const twx_facts *x = with(f, TWX_COL_CANONICAL_URL,
                              (twx_value)TEXT("HTTPS://www.example.com:443/./a#top"));
    assert_true((x->bits & TWX_FACT_CANONICAL) && x->link_key == own);
    x = with(f, TWX_COL_CANONICAL_URL, (twx_value)TEXT("a")); /* relative to the document */
    assert_true(x->link_key == own);
    x = with(f, TWX_COL_REDIRECT_URL, (twx_value)TEXT("/b"));
    assert_true((x->bits & TWX_FACT_REDIRECT) && !(x->bits & TWX_FACT_CANONICAL) &&
                x->link_key != own);
    x = with(f, TWX_COL_REDIRECT_URL, (twx_value)TEXT(" "));
    assert_true(!(x->bits & TWX_FACT_REDIRECT) && x->link_key == own);
    x = with(f, TWX_COL_REDIRECT_URL, (twx_value)TEXT("http://"));
    assert_true((x->bits & TWX_FACT_REDIRECT) && x->link_key == 0);
    x = with(f, TWX_COL_URL, (twx_value)TEXT("no url"));
    assert_false(x->bits & (TWX_FACT_REDIRECT | TWX_FACT_CANONICAL));
}

TEST_OF(groups_of_names_are_keys_and_nothing_is_0, fixture *f) {
    assert_int_equal(with(f, TWX_COL_HREFLANG_GROUP, (twx_value)TEXT(" "))->hreflang_key, 0);
    const uint64_t text = with(f, TWX_COL_HREFLANG_GROUP, (twx_value)TEXT("7"))->hreflang_key;
    const uint64_t number = with(f, TWX_COL_HREFLANG_GROUP, (twx_value)INT(7))->hreflang_key;
    assert_true(text && number && text != number);
    assert_int_equal(with(f, TWX_COL_LAYOUT_DIGEST, (twx_value){0})->layout_key, 0);
    assert_int_not_equal(with(f, TWX_COL_LAYOUT_DIGEST, (twx_value)TEXT("7"))->layout_key, text);
}

TESTS_OF(fixture, setup, teardown);
