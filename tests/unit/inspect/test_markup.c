/* inspect/markup.c: what crawled bytes become on a page. libxml2 reads what was written: it has to
 * find one element with the text that went in. */
#include "support.h"

#include <libxml/parser.h>

#include "inspect/inspect.h"

typedef struct page {
    twx_ctx cx;
    char text[20000];
    size_t n;
    twindex_sink sink;
    twx_out out;
    twx_markup h;
} page;

static int append(void *arg, const char *bytes, size_t n) {
    page *p = arg;
    assert_true(p->n + n < sizeof p->text);
    memcpy(p->text + p->n, bytes, n);
    p->n += n;
    p->text[p->n] = '\0';
    return 0;
}

static twx_markup *begin(page *p) {
    memset(p, 0, sizeof *p);
    twx_ctx_init(&p->cx);
    p->sink = (twindex_sink){.write = append, .arg = p};
    p->out = (twx_out){.cx = &p->cx, .sink = &p->sink};
    p->h = (twx_markup){.out = &p->out};
    return &p->h;
}

/* The text and the attribute `name` of the one element of the page, as libxml2 reads them. */
static void expect_element(const page *p, const char *name, const char *attribute,
                           const char *text) {
    xmlDoc *doc = xmlReadMemory(p->text, (int)p->n, NULL, "UTF-8", XML_PARSE_NONET);
    if (!doc) fail_msg("no XML: %s", p->text);
    const xmlNode *root = xmlDocGetRootElement(doc);
    assert_true(!root->children ||
                (root->children->type == XML_TEXT_NODE && !root->children->next));
    xmlChar *value = name ? xmlGetProp(root, (const xmlChar *)name) : NULL,
            *content = xmlNodeGetContent(root);
    if (name) assert_string_equal((const char *)value, attribute);
    assert_string_equal((const char *)content, text);
    xmlFree(value);
    xmlFree(content);
    xmlFreeDoc(doc);
}

TEST(r1_text_stays_text) {
    static const char *const PARTS[] = {
        "<",    ">",   "&",         "\"",    "'", "&lt;", "</r>",     "<b a='",          "]]>",
        "<!--", "-->", "<![CDATA[", "&#60;", "x", " ",    "\xC3\xA4", "\xF0\x9F\x98\x80"};
    test_rng rng = test_rng_seed(7);
    for (int i = 0; i < 5000; i++) {
        char text[200] = "";
        static page p;
        for (size_t k = test_rng_below(&rng, 12); k; k--)
            strcat(text, PARTS[test_rng_below(&rng, sizeof PARTS / sizeof *PARTS)]);
        twx_markup *h = begin(&p);
        twx_markup_raw(h, "<r a=\"");
        twx_markup_text(h, twx_slice_of(text));
        twx_markup_put(h, "\">%s", "");
        twx_markup_text(h, twx_slice_of(text));
        twx_markup_raw(h, "</r>");
        assert_int_equal(h->rc, TWX_OK);
        expect_element(&p, "a", text, text);
    }
}

TEST(only_web_urls_are_links) {
    static const char *const LINKS[] = {"http://a.example/", "HTTPS://a.example/?a=1&b='2'\"<3>",
                                        "https://a.example/\xC3\xA4"};
    static const struct {
        const char *url, *shown;
    } TEXTS[] = {{"javascript:alert(1)", "javascript:alert(1)"},
                 {"ftp://a.example/", "ftp://a.example/"},
                 {"http:/a.example/", "http:/a.example/"},
                 {" http://a.example/", NULL},
                 {"http://a.example/ b", "http://a.example/ b"},
                 {"http://a.example/\x01", NULL},
                 {"http://a.example/\x7F", NULL},
                 {"http://a.example/\xFF", NULL},
                 {"", "(no URL)"}};
    static page p;
    for (size_t i = 0; i < sizeof LINKS / sizeof *LINKS; i++) {
        twx_markup_url(begin(&p), twx_slice_of(LINKS[i]));
        expect_element(&p, "href", LINKS[i], LINKS[i]);
        expect_element(&p, "rel", "noopener noreferrer", LINKS[i]);
    }
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        twx_markup_url(begin(&p), twx_slice_of(TEXTS[i].url));
        if (strstr(p.text, "href") || strncmp(p.text, "<span", 5) != 0)
            fail_msg("'%s' is a link: %s", TEXTS[i].url, p.text);
        if (TEXTS[i].shown) expect_element(&p, "class", "u", TEXTS[i].shown);
    }
}

/* Links of one site often begin alike, so what is shown of a long one has its end, too. */
TEST(the_middle_of_a_long_url_is_left_out_but_of_its_link) {
    enum { SHOWN = 200, LINKED = 8192 };
    static const size_t LENGTHS[] = {SHOWN, SHOWN + 1, 1500, LINKED, LINKED + 1};
    static char url[LINKED + 2];
    char shown[300];
    static page p;
    for (size_t i = 0; i < sizeof url - 1; i++) url[i] = (char)('a' + i % 26);
    memcpy(url, "http://a.example/", 17);
    for (size_t i = 0; i < sizeof LENGTHS / sizeof *LENGTHS; i++) {
        const size_t n = LENGTHS[i];
        const char after = url[n];
        url[n] = '\0';
        snprintf(shown, sizeof shown, n > SHOWN ? "%.130s...%s" : "%s", url, url + n - 70);
        twx_markup_url(begin(&p), twx_slice_of(url));
        if (n <= LINKED)
            expect_element(&p, "href", url, shown);
        else
            expect_element(&p, "class", "u", shown);
        url[n] = after;
    }
    char wide[602] = "ftp://a.example/";
    for (size_t i = strlen(wide); i + 2 < sizeof wide; i += 2) memcpy(wide + i, "\xC3\xA4", 3);
    twx_markup_url(begin(&p), twx_slice_of(wide));
    assert_null(strstr(p.text, "\xEF\xBF\xBD")); /* no character is cut in two */
    assert_non_null(strstr(p.text, "..."));
    assert_non_null(strstr(p.text, wide)); /* the whole URL, in the title of what is no link */
}

TEST(shares_are_rounded_to_neither_none_nor_all) {
    static const struct {
        uint64_t part, whole;
        const char *shown;
    } CASES[] = {{0, 0, "\xE2\x80\x93"},      {0, 5, "0.0&nbsp;%"},
                 {5, 5, "100.0&nbsp;%"},      {1, 2, "50.0&nbsp;%"},
                 {1, 1999, "0.1&nbsp;%"},     {1, 2001, "&lt;0.1&nbsp;%"},
                 {1998, 1999, "99.9&nbsp;%"}, {2001, 2002, "&gt;99.9&nbsp;%"}};
    static page p;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        twx_markup_share(begin(&p),
                         CASES[i].whole ? (double)CASES[i].part / (double)CASES[i].whole : -1);
        assert_int_equal(p.h.rc, TWX_OK);
        assert_string_equal(p.text, CASES[i].shown);
    }
}

TEST(r2_nothing_follows_a_failure) {
    static page p;
    twx_markup *h = begin(&p);
    twx_markup_raw(h, "a");
    h->rc = TWX_E_IO;
    twx_markup_raw(h, "b");
    twx_markup_put(h, "%d", 1);
    twx_markup_text(h, TWX_SLICE_LIT("c<"));
    twx_markup_excerpt(h, TWX_SLICE_LIT("d"), 5);
    twx_markup_url(h, TWX_SLICE_LIT("http://e.example/"));
    assert_string_equal(p.text, "a");
    assert_int_equal(h->rc, TWX_E_IO);
}
