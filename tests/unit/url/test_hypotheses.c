/* url/hypotheses.c: the table, and what keys are equal and unequal. */
#include "support.h"

#include "url/url.h"

static twx_url_variants a, b;

static void analyse(const char *x, const char *y) {
    twx_url_variants_of(twx_slice_of(x), &a);
    twx_url_variants_of(twx_slice_of(y), &b);
}

/* The variant of a kind that is about a name; NULL: none. */
static const twx_variant *variant(const twx_url_variants *p, twx_variant_kind kind,
                                  const char *first) {
    for (size_t i = 0; i < p->variants_n; i++)
        if (p->variants[i].kind == kind &&
            (!first || twx_slice_eq(p->variants[i].first, twx_slice_of(first))))
            return &p->variants[i];
    return NULL;
}

TEST(the_table_has_ten_hypotheses_and_every_kind_of_variant) {
    unsigned numbers = 0, kinds = 0;
    for (size_t i = 0; i < TWX_HYPOTHESES; i++) {
        const twx_hypothesis *h = &TWX_HYPOTHESIS[i];
        numbers |= 1u << h->number;
        kinds |= 1u << h->kind;
        assert_int_equal(twx_hypothesis_find(twx_slice_of(h->form)), i); /* forms are unique */
        if (i) assert_true(h->number >= TWX_HYPOTHESIS[i - 1].number);
    }
    assert_int_equal(numbers, 0x7fe);
    assert_int_equal(kinds, (1u << TWX_VARIANT_KINDS) - 1);
    assert_int_equal(twx_hypothesis_find(TWX_SLICE_LIT("telepathy")), TWX_HYPOTHESES);
}

TEST(r1_the_order_of_parameters_does_not_matter) {
    analyse("http://h/p?a=1&b=2&c", "http://h/p?c&b=2&a=1");
    assert_true(a.whole == b.whole && a.shape == b.shape && a.path == b.path);
    assert_true(variant(&a, TWX_VARIANT_PARAMETER, "b")->group ==
                variant(&b, TWX_VARIANT_PARAMETER, "b")->group);
    assert_true(variant(&a, TWX_VARIANT_PAIR, NULL)->group != 0);
}

TEST(what_differs_has_other_keys) {
    static const char *const URLS[] = {
        "http://h/p",         "https://h/p",        "http://g/p",         "http://h/q",
        "http://h/p/",        "http://h//p",        "http://h/p?a",       "http://h/p?a=",
        "http://h/p?a=1",     "http://h/p?b=1",     "http://h/p?a=1&a=1", "http://h/p?=a",
        "http://h/p?a=1&b",   "http://h/p?ab=1",    "http://h/a/b",       "http://h/b/a",
        "http://h/p?a=2&a=1", "http://h/p?a=1&a=2", "http://h/"};
    for (size_t i = 0; i < sizeof URLS / sizeof *URLS; i++)
        for (size_t k = 0; k < i; k++) {
            analyse(URLS[i], URLS[k]);
            if (a.whole == b.whole) fail_msg("%s and %s", URLS[i], URLS[k]);
        }
}

TEST(a_counterpart_is_the_url_without_the_part) {
    static const struct {
        const char *url, *without, *first;
        twx_variant_kind kind;
    } CASES[] = {
        {"http://h/p?a=1&b=2", "http://h/p?b=2", "a", TWX_VARIANT_PARAMETER},
        {"http://h/p?a=1&b=2&a=3", "http://h/p?b=2", "a", TWX_VARIANT_PARAMETER},
        {"http://h/p?a=1", "http://h/p", "a", TWX_VARIANT_PARAMETER},
        {"http://h/p?=1&b", "http://h/p?b", "", TWX_VARIANT_PARAMETER},
        {"http://h/p?a=1&b=2&c", "http://h/p", "b", TWX_VARIANT_BARE},
        {"http://h/p?a=1&b=2", "http://h/p", NULL, TWX_VARIANT_PAIR},
        {"http://h/d/index.html", "http://h/d/", "index.html", TWX_VARIANT_SEGMENT},
        {"http://h/d/", "http://h/d", "", TWX_VARIANT_SEGMENT},
        {"http://h/print/d/e?x=1", "http://h/d/e?x=1", "print", TWX_VARIANT_SEGMENT},
        {"http://h/a/print/d", "http://h/a/d", "print", TWX_VARIANT_SEGMENT},
        {"http://h/index.html", "http://h/", "index.html", TWX_VARIANT_SEGMENT},
        {"http://h/a;s=1/b", "http://h/a/b", "s", TWX_VARIANT_PATH_SUFFIX},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        analyse(CASES[i].url, CASES[i].without);
        const twx_variant *v = variant(&a, CASES[i].kind, CASES[i].first);
        if (!v || v->counterpart != b.whole)
            fail_msg("%s without %s", CASES[i].url, CASES[i].first ? CASES[i].first : "both");
    }
}

TEST(a_session_is_long_and_mixed) {
    static const struct {
        const char *segment;
        bool is;
    } CASES[] = {{"8d2f01c7", true},      {"deadbeef", false},         {"12345678", true},
                 {"1234567", false},      {"abcdefghijklmnop", false}, {"abcdefghijklmno1", true},
                 {"ch03s05.html", false}, {"install-amd64-x", false}};
    char url[100];
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        snprintf(url, sizeof url, "http://h/%s/x", CASES[i].segment);
        twx_url_variants_of(twx_slice_of(url), &a);
        if ((variant(&a, TWX_VARIANT_SESSION, NULL) != NULL) != CASES[i].is)
            fail_msg("%s", CASES[i].segment);
    }
    analyse("http://h/s/8d2f01c7/x?q", "http://h/s/00000000/x?q");
    assert_true(variant(&a, TWX_VARIANT_SESSION, NULL)->group ==
                variant(&b, TWX_VARIANT_SESSION, NULL)->group);
    analyse("http://h/s/8d2f01c7/x", "http://h/s/00000000/y");
    assert_true(variant(&a, TWX_VARIANT_SESSION, NULL)->group !=
                variant(&b, TWX_VARIANT_SESSION, NULL)->group);
}

TEST(another_base_is_found_by_its_key) {
    analyse("http://h/p/q?a=1", "https://www.h:8/x/y/p/q?a=1");
    const twx_variant *u = &a.variants[TWX_ORIGIN_AT], *v = &b.variants[TWX_ORIGIN_AT + 2];
    const twx_base alone = twx_base_of(u->first), longer = twx_base_of(v->first);
    assert_true(u->value == a.origin && alone.key == u->value && longer.key == v->value);
    assert_true(twx_slice_eq(v->first, TWX_SLICE_LIT("https://www.h:8/x/y")));
    /* the rest is the same, and its first folder */
    assert_true(u->group == v->group && u->name == v->name && u->name != 0);
    assert_true(twx_slice_eq(u->text, TWX_SLICE_LIT("p")));
    assert_true(twx_url_key_at(&a, u, &longer) == b.whole);
    assert_true(twx_url_key_at(&b, v, &alone) == a.whole);
    assert_true(twx_url_key_at(&a, u, &alone) == a.whole);
    assert_true(twx_origins_context(u->value, v->value, a.shape) ==
                twx_origins_context(v->value, u->value, b.shape));
    assert_true(twx_origins_context(u->value, v->value, a.shape) !=
                twx_origins_context(u->value, v->value, 0));
    assert_true(twx_query_shape(TWX_SLICE_LIT("a=2")) == a.shape);
    assert_true(twx_query_shape((twx_slice){NULL, 0}) == 0);
    /* nothing remains after a folder's own page */
    analyse("http://h/p/", "http://h/1/2/3/4/5");
    assert_int_not_equal(a.variants[TWX_ORIGIN_AT + 1].kind, TWX_VARIANT_ORIGIN);
    assert_int_equal(b.variants[TWX_ORIGIN_AT + TWX_FOLDERS_MAX].kind, TWX_VARIANT_ORIGIN);
    assert_int_not_equal(b.variants[TWX_ORIGIN_AT + TWX_FOLDERS_MAX + 1].kind, TWX_VARIANT_ORIGIN);
}

TEST(a_site_is_the_host_without_www) {
    static const char *const CASES[][2] = {{"http://a.example/x?y", "a.example"},
                                           {"https://www.a.example:8080", "a.example:8080"},
                                           {"http://wwwa.example/www.b", "wwwa.example"},
                                           {"mailto:x", "mailto:x"},
                                           {"", ""}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        if (!twx_slice_eq(twx_site_of(twx_slice_of(CASES[i][0])), twx_slice_of(CASES[i][1])))
            fail_msg("%s", CASES[i][0]);
    analyse("http://www.a.example/x", "https://a.example/y");
    assert_true(a.site == b.site && a.area == b.area && a.origin != b.origin);
    analyse("http://www.a.example/x/1?/y", "https://a.example/x/");
    assert_true(a.site == b.site && a.area == b.area);
    assert_true(twx_slice_eq(twx_area_of(TWX_SLICE_LIT("http://www.a.example/x/1?/y")),
                             TWX_SLICE_LIT("a.example/x/")));
    analyse("http://a.example/x?/y", "https://a.example/x/y");
    assert_true(a.area != b.area);
    assert_true(twx_slice_eq(twx_area_of(TWX_SLICE_LIT("http://a.example/x?/y")),
                             TWX_SLICE_LIT("a.example/")));
}

TEST(r3_the_number_of_variants_is_bounded) {
    static char url[8192];
    size_t n = (size_t)snprintf(url, sizeof url, "http://h");
    for (int i = 0; i < TWX_URL_SEGMENTS; i++)
        n += (size_t)snprintf(url + n, sizeof url - n, "/0123456789abcde%x;s=1", i);
    for (int i = 0; i < 100; i++)
        n += (size_t)snprintf(url + n, sizeof url - n, "%cp%d=1", i ? '&' : '?', i);
    twx_url_variants_of(twx_slice_of(url), &a);
    assert_true(a.variants_n > 150 && a.variants_n <= TWX_VARIANTS_MAX);
}
