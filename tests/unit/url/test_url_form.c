#include "support.h"

#include "url/url.h"

enum { VIEW = TWX_URL_IS_VIEW, EXTRAS = TWX_URL_HAS_EXTRAS };

/* Forms of one page, each with what it is besides. */
static const struct {
    const char *url;
    unsigned bits;
} FORMS[] = {{"https://example.com/news/a?id=3", 0},
             {"http://www.example.com/news/a?id=3", 0},
             {"https://example.com/news/a/?id=3", 0},
             {"https://m.example.com/news/a?id=3", VIEW},
             {"https://www.amp.example.com/news/a?id=3", VIEW},
             {"https://example.com/amp/news/a?id=3", VIEW},
             {"https://example.com/news/a/print?id=3", VIEW},
             {"https://example.com/news/a?id=3&print=1", VIEW},
             {"https://example.com/news/a?view=print&id=3", VIEW},
             {"https://example.com/news/a?id=3&PHPSESSID=0123456789abcdef", EXTRAS},
             {"https://example.com/news/a;jsessionid=abc?id=3", EXTRAS},
             {"https://example.com/news/a?utm_source=x&id=3", EXTRAS},
             {"https://m.example.com/news/a?id=3&gclid=x", VIEW | EXTRAS}};

static uint64_t key_of(twx_slice url) {
    twx_url_names unused;
    return twx_url_form_of(url, &unused);
}

TEST(r2_forms_of_a_page_have_one_key) {
    const uint64_t page = key_of(twx_slice_of(FORMS[0].url));
    for (size_t i = 0; i < TWX_COUNTOF(FORMS); i++) {
        const twx_slice url = twx_slice_of(FORMS[i].url);
        if (twx_url_form_bits(url) != FORMS[i].bits || key_of(url) != page)
            fail_msg("%s: %u", FORMS[i].url, twx_url_form_bits(url));
    }
}

/* Words of forms that are something else here. */
TEST(others_are_pages) {
    static const char *const PAGES[] = {"https://example.com/printer",
                                        "https://m.example/",
                                        "https://example.com/?view=list",
                                        "https://example.com/amplifier?a=amp",
                                        "ftp://m.example.com/print/?sid=1",
                                        "mailto:m@example.com",
                                        "https://mm.example.com/a?side=1",
                                        "https://example.com/a?&",
                                        "https://amp.dev/",
                                        ""};
    for (size_t i = 0; i < TWX_COUNTOF(PAGES); i++)
        if (twx_url_form_bits(twx_slice_of(PAGES[i])) != 0)
            fail_msg("%s: %u", PAGES[i], twx_url_form_bits(twx_slice_of(PAGES[i])));
}

TEST(numbers_and_ids_are_no_names) {
    enum { NAMES = 6 };
    static const char *const URLS[] = {"http://a/x/2024",         "http://a/x/1999",
                                       "http://a/x/3d",           "http://a/x/face-to-face",
                                       "http://a/x/0123456789ag", "http://a/x/1a2b3c4d5e6",
                                       "http://a/x/1024",         "http://a/x/20245",
                                       "http://a/x/0123456789ab", "http://a/x/123-4567-890a"};
    for (size_t i = 0; i < TWX_COUNTOF(URLS); i++) {
        twx_url_names names;
        (void)twx_url_form_of(twx_slice_of(URLS[i]), &names);
        if (names.segments != 1 + (i < NAMES)) fail_msg("%s: %u names", URLS[i], names.segments);
    }
}

/* Twelve folders of a tree, and two more on its mirror. */
TEST(a_mirror_of_a_deep_tree_has_its_names) {
    twx_url_names own, mirror, other;
    const uint64_t keys[] = {
        twx_url_form_of(TWX_SLICE_LIT("http://a.example/a1/b1/c1/d1/e1/f1/g1/h1/i1/j1/k1/l1.html"),
                        &own),
        twx_url_form_of(
            TWX_SLICE_LIT("http://m.example/pub/docs/a1/b1/c1/d1/e1/f1/g1/h1/i1/j1/k1/l1.html"),
            &mirror),
        twx_url_form_of(
            TWX_SLICE_LIT("http://m.example/pub/docs/a1/b1/c1/d1/e1/f1/g1/h1/i1/j1/k1/l2.html"),
            &other)};
    assert_true(keys[0] != keys[1] && keys[1] != keys[2]);
    assert_int_equal(own.segments, 12);
    assert_true(twx_url_names_agree(&own, &mirror));
    assert_true(twx_url_names_agree(&mirror, &own));
    assert_false(twx_url_names_agree(&own, &other));
}
