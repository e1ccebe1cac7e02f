#include "judge_fixture.h"

static twx_ctx cx;

static twx_rc parse(const char *text, twx_pins **ret_pins) {
    static const twx_url_options none = {0};
    twx_ctx_init(&cx);
    return twx_pins_parse(&cx, &none, "pins.txt", twx_slice_of(text), ret_pins);
}

static twx_pin_match match(const twx_pins *pins, const char *url) {
    return twx_pins_match(pins, twx_hash64(twx_slice_of(url), 0), twx_slice_of(url));
}

TEST(lines_comments_and_blanks_are_read) {
    twx_pins *pins = NULL;
    assert_ok(
        parse("\xef\xbb\xbf# by hand\n\n  Keep\tHTTPS://A.example:443/x#top  # seen by Ann\r\n"
              "separate https://a.example/x https://b.example/\nprefer https://c.example/de",
              &pins));
    const twx_pin *pin = twx_pins_at(pins, 0);
    assert_int_equal(pin->kind, TWX_PIN_KEEP);
    assert_int_equal(pin->line, 3);
    assert_true(twx_slice_eq(pin->name[0], TWX_SLICE_LIT("https://a.example/x")));
    assert_int_equal(twx_pins_at(pins, 1)->line, 4);
    assert_int_equal(twx_pins_at(pins, 2)->line, 5);
    assert_null(twx_pins_at(pins, 3));
    assert_int_equal(twx_pins_urls(pins), 2);
    assert_int_equal(match(pins, "https://a.example/x").url, 1);
    assert_int_equal(match(pins, "https://b.example/").url, 2);
    assert_int_equal(match(pins, "https://b.example/y").url, 0);
    assert_true(twx_pins_keeps(pins, 0) && !twx_pins_keeps(pins, 1) && !twx_pins_keeps(pins, 2));
    size_t n = 0;
    assert_int_equal(twx_pins_partners(pins, 0, &n)[0], 1);
    assert_int_equal(n, 1);
    assert_int_equal(match(pins, "https://c.example/details").preferred, 1);
    assert_int_equal(match(pins, "https://c.example/en").preferred, 0);
    twx_pins_close(pins);
}

TEST(r3_the_first_prefix_counts) {
    twx_pins *pins = NULL;
    assert_ok(parse("prefer https://a.example/x/\nprefer https://a.example/\nprefer "
                    "https://a.example/x/y\n",
                    &pins));
    assert_int_equal(match(pins, "https://a.example/x/y").preferred, 1);
    assert_int_equal(match(pins, "https://a.example/z").preferred, 2);
    assert_int_equal(match(pins, "https://b.example/").preferred, 0);
    assert_int_equal(match(pins, "").preferred, 0);
    twx_pins_close(pins);
}

TEST(what_is_wrong_is_named_with_file_and_line) {
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"\nfix https://a.example/\n",
         "pins.txt:2: 'fix' is not one of separate, prefer, keep, edition"},
        {"edition a.example /*\n",
         "pins.txt:1: edition takes a host, a place, and two values or more"},
        {"edition\n", "pins.txt:1: edition takes a host, a place, and two values or more"},
        {"edition a.example # /*\n", "pins.txt:1: 'a.example #' is not a host and a place"},
        {"edition a.example /* 1 # 2\n",
         "pins.txt:1: edition takes a host, a place, and two values or more"},
        {"edition a.example /* 1 a-name-of-24-characters-\n",
         "pins.txt:1: 'a-name-of-24-characters-' has more than 23 bytes"},
        {"edition a.example docs/* 1 2\n",
         "pins.txt:1: 'a.example docs/*' is not a host and a place"},
        {"edition a.example/x /* 1 2\n", "pins.txt:1: 'a.example/x /*' is not a host and a place"},
        {"edition a.example /* 1 2\nedition A.example /* 3 4\n",
         "pins.txt:2: an earlier line has this place"},
        {"edition a.example /* 1 2\nedition www.a.example /* 3 4\n",
         "pins.txt:2: an earlier line has this place"},
        {"edition a.example /* one two ONE\n", "pins.txt:1: 'ONE' is given twice"},
        {"edition a.example /* gr\u00fcn gr%C3%bcn\n", "pins.txt:1: 'gr%C3%bcn' is given twice"},
        {"edition a*.example /* 1 2\n", "pins.txt:1: 'a*.example /*' is not a host and a place"},
        {"keep\n", "pins.txt:1: keep takes one URL, not 0"},
        {"keep https://a.example/ https://b.example/\n", "pins.txt:1: keep takes one URL, not 2"},
        {"separate https://a.example/\n", "pins.txt:1: separate takes two URLs, not 1"},
        {"separate https://a.example/ https://b.example/ x y\n",
         "pins.txt:1: separate takes two URLs, not 4"},
        {"prefer\n", "pins.txt:1: prefer takes one prefix of URLs, not 0"},
        {"keep /x\n", "pins.txt:1: '/x' is not an absolute URL"},
        {"prefer example.org\n", "pins.txt:1: 'example.org' is not an absolute URL"},
        {"keep https://a.example/\nseparate https://a.example/x HTTPS://a.example/y/../x\n",
         "pins.txt:2: both URLs are the same in normal form"},
    };
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        twx_pins *pins = NULL;
        assert_int_equal(parse(CASES[i].text, &pins), TWX_E_CONFIG);
        assert_null(pins);
        if (strncmp(cx.message, CASES[i].message, strlen(CASES[i].message)) != 0)
            fail_msg("%s", cx.message);
    }
    twx_pins *pins = NULL;
    twx_ctx_init(&cx);
    assert_int_equal(twx_pins_parse(&cx, NULL, "p", (twx_slice){"keep a:\0b", 9}, &pins),
                     TWX_E_CONFIG);
    assert_string_equal(cx.message, "p:1: a NUL byte");
}

/* Which value of the line the URL has; 0: none. */
static uint64_t value_of(const char *line, const char *url) {
    twx_pins *pins = NULL;
    twx_edition_slot slot;
    uint32_t number = 7;
    assert_ok(parse(line, &pins));
    const bool has = twx_pins_edition(pins, twx_slice_of(url), &slot, &number);
    assert_int_equal(number, has ? 0 : 7);
    twx_pins_close(pins);
    return slot.edition.order;
}

/* As in URLs of documents: host and place may be written in another form. */
TEST(places_of_editions_are_in_normal_form) {
    static const char *const CASES[][2] = {
        {"edition a.example /docs/* one two\n", "https://www.a.example/docs/Two/x"},
        {"edition a.example /docs/* one two # both\n", "https://a.example/docs/two?x=1"},
        {"edition a.example /docs-* one two\n", "https://a.example/docs-two/x"},
        {"edition a.example *. one two\n", "https://two.a.example"},
        {"edition www.A.example /docs/* one two\n", "http://a.example/docs/two/x"},
        {"edition a.example:443 /docs/* one two\n", "https://a.example/docs/two"},
        {"edition a.example:8080 /docs/v* one two\n", "https://a.example:8080/docs/vtwo"},
        {"edition b\u00fccher.example /d\u00f6cs/* one two\n",
         "https://xn--bcher-kva.example/d%C3%B6cs/two/x"},
        {"edition a.example /d%c3%b6cs?version=* one two\n",
         "https://a.example/d%C3%B6cs?version=two&x=1"},
        {"edition B\u00fccher.example *. one two\n", "https://two.xn--bcher-kva.example/x"},
        {"edition a.example /docs/* gr\u00fcn wei\u00df\n", "https://a.example/docs/wei%C3%9F/x"},
        {"edition a.example /* a%2bb wei%c3%9f\n", "https://a.example/wei%C3%9F"},
        {"edition a.example /d?v=* one gr\u00fcn\n", "https://a.example/d?v=gr%C3%BCn&x=1"},
        {"edition b\u00fccher.example *. gr\u00fcn wei\u00df-b\u00e4r\n",
         "https://xn--wei-br-dta6b.xn--bcher-kva.example/"},
    };
    static const char *const OTHERS[][2] = {
        {"edition a.example /docs/* one two\n", "https://a.example/docs/three/x"},
        {"edition a.example *. one two\n", "https://two.a.example.org/x"},
        {"edition a.example *. one two\n", "https://two.b.example/x"},
    };
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++)
        if (value_of(CASES[i][0], CASES[i][1]) != 2) fail_msg("%s", CASES[i][0]);
    for (size_t i = 0; i < TWX_COUNTOF(OTHERS); i++)
        assert_int_equal(value_of(OTHERS[i][0], OTHERS[i][1]), 0);
}

TEST(r4_files_are_bounded) {
    enum { LINE = sizeof "keep a:00000\n" - 1 };
    static char text[(TWX_PINS_MAX + 1) * LINE + 1];
    twx_pins *pins = NULL;
    for (size_t i = 0; i <= TWX_PINS_MAX; i++)
        snprintf(text + i * LINE, LINE + 1, "keep a:%05zu\n", i);
    assert_int_equal(parse(text, &pins), TWX_E_CONFIG);
    assert_string_equal(cx.message, "pins.txt:10001: more than 10000 pins");
    snprintf(text + TWX_PINS_MAX * LINE, LINE + 1, "edition a /*");
    assert_int_equal(parse(text, &pins), TWX_E_CONFIG);
    assert_string_equal(cx.message, "pins.txt:10001: more than 10000 pins");
    text[TWX_PINS_MAX * LINE] = '\0';
    assert_ok(parse(text, &pins));
    assert_int_equal(match(pins, "a:09999").url, 10000);
    twx_pins_close(pins);
    size_t n = (size_t)snprintf(text, sizeof text, "edition a.example /*");
    for (size_t i = 0; i <= 400; i++) n += (size_t)snprintf(text + n, sizeof text - n, " %zu", i);
    assert_int_equal(parse(text, &pins), TWX_E_CONFIG);
    assert_string_equal(cx.message, "pins.txt:1: an edition line has at most 400 values");
}

/* Documents keep the beginning and the hash of a URL: a longer prefix can only be compared as a
 * whole. */
TEST(r2_a_long_prefix_is_a_whole_url) {
    static char text[1 << 18], url[1 << 17];
    twx_pins *pins = NULL;
    snprintf(url, sizeof url, "https://a.example/%0*d", (int)sizeof url - 19, 0);
    for (int beginning = TWX_FACTS_URL_MAX; beginning <= TWX_FACTS_URL_MAX + 1; beginning++) {
        const bool is_prefix = beginning == TWX_FACTS_URL_MAX;
        const twx_slice all = twx_slice_of(url), kept = twx_slice_sub(all, 0, TWX_FACTS_URL_MAX);
        snprintf(text, sizeof text, "prefer %.*s\nprefer %s\nprefer https://a.example/0", beginning,
                 url, url);
        assert_ok(parse(text, &pins));
        assert_int_equal(twx_pins_match(pins, twx_hash64(all, 0), kept).preferred,
                         is_prefix ? 1 : 2);
        const uint64_t other = twx_hash64(twx_slice_sub(all, 0, all.n - 1), 0);
        assert_int_equal(twx_pins_match(pins, other, kept).preferred, is_prefix ? 1 : 3);
        twx_pins_close(pins);
    }
}

TEST(the_fingerprint_is_that_of_what_is_pinned) {
    twx_pins *a = NULL, *b = NULL, *c = NULL;
    assert_ok(parse("keep https://a.example/\n", &a));
    assert_ok(parse("# a comment\nkeep HTTPS://a.example\n", &b));
    assert_ok(parse("prefer https://a.example/\n", &c));
    assert_true(twx_pins_fingerprint(a) == twx_pins_fingerprint(b));
    assert_true(twx_pins_fingerprint(a) != twx_pins_fingerprint(c));
    twx_pins_close(a);
    twx_pins_close(b);
    twx_pins_close(c);
    twx_pins_close(NULL);
}
