/* html: what is kept of a page. */
#include "support.h"

#include "page/internal.h"

static twx_ctx cx;
static twx_arena arena;
static twx_url url;
static twx_html page;

static void setup(void) {
    twx_arena_init(&arena, 1 << 16);
    twx_html_init(&page, 1 << 20);
    assert_ok(
        twx_url_normalize(&cx, &arena, NULL, TWX_SLICE_LIT("https://a.example/dir/page"), &url));
}

static void teardown(void) {
    twx_html_done(&page);
    twx_arena_done(&arena);
}

static void parse_as(const char *encoding, const char *html, size_t n) {
    assert_ok(twx_html_parse(&cx, (twx_slice){html, n}, twx_slice_of(encoding), &url, &page));
}

static void parse(const char *html) {
    parse_as("utf-8", html, strlen(html));
}

static const char *text(const twx_buf *b) {
    return twx_buf_slice(b).p;
}

TEST(r1_text_is_what_a_reader_sees) {
    parse("<html><head><title>T</title><style>p{}</style></head><body><h1>One</h1><p>two "
          "<b>th</b>ree\n  four<script>var x = "
          "'<p>no</p>';</script><style>.no{}</style><noscript>no</noscript><!-- no "
          "--></p><template>no</template><ul><li>a<li>b</ul><table><tr><td>c</td><td>d</td></"
          "tr></table>x&nbsp;&amp;&nbsp;y<br>z</body></html>");
    assert_string_equal(text(&page.text), "One\ntwo three four\na\nb\nc d\nx & y\nz");
}

TEST(r1_characters_beyond_ascii_are_kept_as_they_are) {
    parse("<title>Grüße</title><p>Grüße, мир, 세계, 東京</p>");
    assert_string_equal(text(&page.title), "Grüße");
    assert_string_equal(text(&page.text), "Grüße, мир, 세계, 東京");
}

TEST(r2_title_and_description) {
    static const struct {
        const char *html, *title, *description;
        bool has_title;
    } CASES[] = {
        {"<head><title>\n A  &amp; B\n</title><meta property='og:description' content='og'>"
         "<meta name=Description content=' the \n one '></head><body><svg><title>no</title></svg>",
         "A & B", "the one", true},
        {"<meta property='og:description' content='og'><p>x", "", "og", false},
        {"<title></title><p>x", "", "", true},
        {"<svg><title>drawing</title></svg>text", "", "", false},
    };
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        parse(CASES[i].html);
        assert_string_equal(text(&page.title), CASES[i].title);
        assert_string_equal(text(&page.description), CASES[i].description);
        assert_int_equal(page.has_title, CASES[i].has_title);
    }
}

TEST(r2_robots_are_joined) {
    parse("<meta name=robots content=noarchive><meta name=ROBOTS content='noindex'><meta "
          "name=googlebot content=none>");
    assert_string_equal(text(&page.robots), "noarchive, noindex");
}

TEST(r8_names_of_images) {
    parse("<img alt=' A\n hare '><IMG ALT=''><img><area alt='&lt;hedge&gt;'><input type=IMAGE "
          "alt=Go><input type=text alt=no><image alt=moved><template><img alt=no></template>"
          "<noscript><img alt=lazy></noscript><p hidden><img alt=hidden></p>"
          "<img alt='A hare'><table><img alt=fostered><svg><image alt=no /><img alt=out>");
    assert_string_equal(text(&page.names),
                        "A hare\n<hedge>\nGo\nmoved\nlazy\nhidden\nfostered\nout");
    parse("<title>T</title><p>x");
    assert_int_equal(page.names.n, 0);
}

TEST(r10_fields_of_a_form_with_a_password) {
#define FORM                                                                                     \
    "Lamps<input type=text placeholder=' User &amp;\n name '><input type=search placeholder=no>" \
    "<p hidden><input placeholder=no></p><input type=hidden value=no><input type=submit value=Go>"
    parse(FORM "<input type=PASSWORD placeholder=Secret>");
    assert_string_equal(text(&page.text), "Lamps\nUser & name Go Secret");
    parse(FORM);
    assert_string_equal(text(&page.text), "Lamps");
    parse("<input type=password placeholder=Secret>");
    assert_string_equal(text(&page.text), "Secret");
    char *html = calloc(1, 4096);
    memset(html, 'x', 2049);
    strcat(html, "<input type=password placeholder=Secret>");
    parse(html);
    assert_int_equal(page.text.n, 2049);
    free(html);
#undef FORM
}

TEST(r8_names_of_metadata) {
    parse("<meta property='og:title' content='T &amp; U'><meta name=OG:image:alt content=Alt>"
          "<meta property=og:description content=no><meta itemprop='image name' content=Item>"
          "<body><span itemprop=sku content=S-1>no</span><b itemprop=gtin13 content=400>no</b>"
          "<i itemprop=name>no</i><i itemprop=price content=no></i>");
    assert_string_equal(text(&page.names), "T & U\nAlt\nItem\nS-1\n400");
}

TEST(r8_names_of_json_ld) {
    static const struct {
        const char *json, *names;
    } CASES[] = {
        {"{\"name\": \"a\", \"Name\": \"no\", \"offers\": [{\"sku\" : 12.50}], \"mpn\":-7e3}",
         "a\n12.50\n-7e3"},
        {"{\"@graph\": [{\"headline\": \"h\"}, {\"identifier\": \"i\"}, \"no\"]}", "h\ni"},
        {"{\"name\": [\"a\", null, 3, {\"url\": \"no\"}, \"no\"], \"x\": \"no\"}", "a\n3"},
        {"{\"name\": {\"@value\": \"no\"}, \"gtin\": \"g\", \"gtin8\": 8}", "g\n8"},
        {"{\"name\": \"Ch\\u00e4ir \\\"x\\\" \\ud83d\\ude00 a\\/b\\n\\tc\"}",
         "Chäir \"x\" 😀 a/b c"},
        {"{\"name\": \"\\ud83d \\ude00 \\u0000 \\uzzzz\"}",
         "\xEF\xBF\xBD \xEF\xBF\xBD \xEF\xBF\xBD uzzzz"},
        {"{\"name\": \"a\" \"b\", ]}{\"sku\": \"c", "a\nc"},
        {"{\"name\": true, \"sku\": \"\"}", ""},
        {"\"name\"", ""},
        {"", ""},
    };
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        char whole[300];
        snprintf(whole, sizeof whole,
                 "<script type=' Application/LD+json; charset=x'>%s</script><p>x", CASES[i].json);
        parse(whole);
        assert_string_equal(text(&page.names), CASES[i].names);
        assert_string_equal(text(&page.text), "x");
    }
    parse("<script>{\"name\": \"no\"}</script><script type=application/json>{\"name\": "
          "\"no\"}</script><template><script type=application/ld+json>{\"name\": "
          "\"no\"}</script></template>");
    assert_int_equal(page.names.n, 0);
}

/* The list ends at the name that does not fit, and no character is cut. */
TEST(r8_names_are_limited) {
    twx_buf b;
    for (size_t start = 0; start < 4; start++) {
        twx_buf_init(&b, 1 << 20);
        assert_ok(twx_buf_add_text(&cx, &b, "<img alt='"));
        for (size_t i = 0; i < start; i++) assert_ok(twx_buf_add_char(&cx, &b, 'a'));
        for (size_t i = 0; i < TWX_HTML_NAMES_BYTES; i++)
            assert_ok(twx_buf_add_text(&cx, &b, "東"));
        assert_ok(twx_buf_add_text(&cx, &b, "'><img alt=b>"));
        parse(b.p);
        assert_int_equal(page.names.n, start + (TWX_HTML_NAMES_BYTES - start) / 3 * 3);
        assert_true(twx_utf8_valid(twx_buf_slice(&page.names)));
        twx_buf_done(&b);
    }
}

TEST(r3_links_are_absolute) {
    parse("<link rel='next canonical' href='../x?b=1#f'><link rel=canonical href=/second>");
    assert_string_equal(text(&page.canonical_url), "https://a.example/x?b=1");
    parse("<base href='https://b.example/q/'><link rel=canonical href=r>");
    assert_string_equal(text(&page.canonical_url), "https://b.example/q/r");
    parse("<body><p>x<link rel=canonical href=/injected>");
    assert_int_equal(page.canonical_url.n, 0);
}

TEST(r3_refresh_is_a_redirect_when_it_is_quick) {
    /* below the first group: the classes of the cases of web-platform-tests (parsing.html of
     * attr-meta-http-equiv-refresh), with the results that it states */
    static const struct {
        const char *content, *target;
    } CASES[] = {{"0; url=/new", "https://a.example/new"},
                 {"0;URL='new'", "https://a.example/dir/new"},
                 {"5,/new", "https://a.example/new"},
                 {"6; url=/new", ""},
                 {"66666666666666666666666; url=/new", ""},
                 {"0", ""},
                 {"0; url=/dir/page", ""},
                 {"x; url=/new", ""},

                 {"", ""},
                 {" 1 ", ""},
                 {"1;", ""},
                 {"1\turl=/new", "https://a.example/new"},
                 {"1\f,\nurl=/new", "https://a.example/new"},
                 {"1url=/new", ""},
                 {"1x;url=/new", ""},
                 {"1 x;url=y", "https://a.example/dir/x;url=y"},
                 {"1;;url=y", "https://a.example/dir/;url=y"},
                 {" 1 , url = /new ", "https://a.example/new"},
                 {" 1 url = /new", "https://a.example/new"},
                 {"1; url=/n\te\nw", "https://a.example/new"},
                 {"1; url='/new'er", "https://a.example/new"},
                 {"1; '/new'er", "https://a.example/new"},
                 {"1; url='/new", "https://a.example/new"},
                 {"1; url='", ""},
                 {"1; url new", "https://a.example/dir/url%20new"},
                 {"1; urlnew", "https://a.example/dir/urlnew"},
                 {"1; urnew=x", "https://a.example/dir/urnew=x"},
                 {"; url=/new", ""},
                 {"/new", ""},
                 {"+1; url=/new", ""},
                 {"-0; url=/new", ""},
                 {"5.9; url=/new", "https://a.example/new"},
                 {"1.9..5.; url=/new", "https://a.example/new"},
                 {".9; url=/new", "https://a.example/new"},
                 {"1e0; url=/new", ""}};
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        char html[200];
        snprintf(html, sizeof html, "<meta http-equiv=Refresh content=\"%s\">", CASES[i].content);
        parse(html);
        if (strcmp(text(&page.redirect_url), CASES[i].target) != 0)
            fail_msg("%s: got '%s', wanted '%s'", CASES[i].content, text(&page.redirect_url),
                     CASES[i].target);
    }
}

TEST(r3_metadata_in_noscript_and_template_does_not_count) {
    parse("<noscript><meta http-equiv=refresh content='0; url=/no'><link rel=canonical "
          "href=/no></noscript><template><meta name=robots "
          "content=noindex></template><title>t</title><p>x");
    assert_int_equal(page.redirect_url.n, 0);
    assert_int_equal(page.canonical_url.n, 0);
    assert_int_equal(page.robots.n, 0);
    parse("<meta http-equiv=refresh content='0; url=/a?b=1&amp;c=2'><p>x");
    assert_string_equal(text(&page.redirect_url), "https://a.example/a?b=1&c=2");
}

TEST(r2_headings_are_lines) {
    parse("<h1> One <br>two</h1><p>x<h1 hidden>no</h1><h1><b>th</b>ree</h1><h2>four</h2><h1></h1>");
    assert_string_equal(text(&page.headings), "One two\nthree");
    parse("<p>none");
    assert_int_equal(page.headings.n, 0);
}

/* Beyond the first 1024 bytes a meta element still counts when the encoding was a guess. */
TEST(a_late_meta_element_names_the_encoding) {
    char html[3000];
    snprintf(html, sizeof html, "<!--%2000s--><meta charset=koi8-r><title>\xC0\xD2\xCF</title>",
             "");
    parse_as(NULL, html, strlen(html));
    assert_string_equal(page.encoding, "KOI8-R");
    assert_string_equal(text(&page.title), "юро");
    parse_as("windows-1252", html, strlen(html));
    assert_string_equal(page.encoding, "windows-1252");
}

TEST(r1_style_sheets_of_the_page_hide) {
    static const struct {
        const char *css, *body, *text;
    } CASES[] = {
        {".a{display:none}", "<p class='b a'>no<p class=b>yes", "yes"},
        {".A{display:none}", "<p class=a>yes", "yes"},
        {"#i , p.z{display:none}", "<p id=i>no<p class=z>no<div class=z>yes", "yes"},
        {".a .b{display:none}", "<div class=a><p><i class=b>no</i>yes</div><i class=b>too</i>",
         "yes\ntoo"},
        {".a>.b{display:none}", "<div class=a><p><i class=b>yes</i></p><i class=b>no</i></div>",
         "yes"},
        {".a{display:none}.a.b{display:block}", "<p class='a b'>yes", "yes"},
        {".a{display:none!important}.a.b{display:block}", "<p class='a b'>no", ""},
        {".a{display:none}", "<p class=a style='display:block'>yes", "yes"},
        {"", "<p style='/* a; display:none; */'>yes", "yes"},
        {"", "<p style='color:red/* ; */;display:none'>no<p>yes", "yes"},
        {"", "<p style='display:none;/* without an end'>no<p>yes", "yes"},
        {".a{display:none}.a{display:inline}", "<p class=a>yes", "yes"},
        {"@media print{.a{display:none}}", "<p class=a>yes", "yes"},
        {"@media screen and (max-width:600px){.a{display:none}} .b{display:none}",
         "<p class=a>yes<p class=b>no", "yes"},
        {"@media (min-width:600px){.a{display:none}}", "<p class=a>no", ""},
        {".a:hover{display:none} .a::before{display:none} .a[x]{display:none} .b+.a{display:none}",
         "<p class=a>yes", "yes"},
        {"/* .a{display:none} */ @import 'x'; .b{color:red}", "<p class=a>yes", "yes"},
        {".a{display:none", "<p class=a>no", ""},
        {".b{content:'}';display:none}", "<p class=b>no<p>yes", "yes"},
        {".a[x]{display:none}.a[X='1']{display:block}", "<p class=a x>no<p class=a x=1>yes", "yes"},
        {".a,::-webkit-x{display:none}", "<p class=a>no", ""},
        {"<![CDATA[.a{display:none}]]>", "<p class=a>yes", "yes"},
        {".x\\:y{display:none}", "<p class='x:y'>no<p>yes", "yes"},
        {".a>.b .c{display:none}", "<p class=a><b class=b><i class=b><u class=c>no</u></i></b>",
         ""},
        {"html{display:none}body{visibility:hidden}", "<p>yes", "yes"},
        {"@supports not (display:grid){p{display:none}}", "<p>yes", "yes"},
        {"@supports (display:grid){p{display:none}}", "<p>no", ""},
        {"@supports (-ms-ime-align:auto){p{display:none}}", "<p>yes", "yes"},
        {"@media not print{p{display:none}}", "<p>no", ""},
    };
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        char html[600];
        snprintf(html, sizeof html, "<!DOCTYPE html><style>%s</style>%s", CASES[i].css,
                 CASES[i].body);
        parse(html);
        if (strcmp(text(&page.text), CASES[i].text) != 0)
            fail_msg("%s: got '%s', wanted '%s'", html, text(&page.text), CASES[i].text);
    }
}

/* A rule holds for elements before its style element; everything else of the page is read once. */
TEST(r1_late_style_sheets_hide_what_came_before) {
    parse("<html lang=ja><title>T</title><meta name=description content=D><body><h1>1</h1>"
          "<p class=a>no</p><a href=/x>2</a><style>.a{display:none}</style><p class=a>no");
    assert_string_equal(text(&page.text), "1\n2");
    assert_string_equal(text(&page.title), "T");
    assert_string_equal(text(&page.description), "D");
    assert_string_equal(text(&page.language), "ja");
    assert_string_equal(text(&page.headings), "1");
    /* and no sheet is left for the next page */
    parse("<body><p class=a>yes<style>.b{display:none}</style>");
    assert_string_equal(text(&page.text), "yes");
}

TEST(r4_translations_share_the_smallest_url) {
    parse("<html lang=de><link rel=alternate hreflang=en href=/en><link rel=alternate "
          "hreflang=fr href=/a/fr>");
    assert_string_equal(text(&page.hreflang_group), "https://a.example/a/fr");
    assert_string_equal(text(&page.language), "de");
    parse("<link rel=alternate hreflang=en href=/zz>");
    assert_string_equal(text(&page.hreflang_group), "https://a.example/dir/page");
    parse("<link rel=alternate type=application/rss+xml href=/feed>");
    assert_int_equal(page.hreflang_group.n, 0);
}

TEST(r5_layout_is_markup_without_text) {
    char first[17];
    parse("<body><p class=a>one</p><ul><li>x</li></ul></body>");
    assert_int_equal(strlen(page.layout_digest), 16);
    memcpy(first, page.layout_digest, sizeof first);
    parse("<body id=b><p>two other words</p><!-- c "
          "--><script>x()</script><ul><li>y</li></ul></body>");
    assert_string_equal(page.layout_digest, first);
    parse("<body><p>one</p><ul><li>x</li><li>z</li></ul></body>");
    assert_string_not_equal(page.layout_digest, first);
}

TEST(r6_bounded_on_deep_long_and_odd_pages) {
    size_t n = 4 << 20;
    char *html = malloc(n + 1);
    for (size_t i = 0; i < n; i += 4) memcpy(html + i, i % 8 ? "</x>" : "<a><", 4);
    parse_as("utf-8", html, n);
    for (size_t i = 0; i < n; i++) html[i] = "<div>"[i % 5];
    parse_as("utf-8", html, n);
    memset(html, 'w', n);
    parse_as("utf-8", html, n);
    assert_true(page.text.n <= 1 << 20);
    memset(html, 0, 100);
    memcpy(html, "a", 1);
    memcpy(html + 99, "b", 1);
    parse_as("utf-8", html, 100);
    assert_string_equal(text(&page.text), "ab"); /* a browser drops NUL */
    parse_as("utf-8", html, 0);
    assert_int_equal(page.text.n, 0);
    free(html);
}

/* Whatever the cap is, what fits is the beginning of the whole text, and ends with a word or a part
 * of one. */
TEST(r6_a_cap_cuts_the_end_alone) {
    static const char HTML[] =
        "<p>one \u2014 \u4e8c\u4e8c b<p>x \U0001F600 y z\u00e9 \u00e9\u00e9<h1>a \u4e09 c</h1>";
    twx_buf cut;
    parse(HTML);
    const twx_slice whole = twx_buf_slice(&page.text);
    for (size_t cap = 1; cap <= whole.n; cap++) {
        twx_buf_init(&cut, cap);
        assert_ok(twx_html_text(&cx, twx_slice_of(HTML), TWX_SLICE_LIT("utf-8"), &cut));
        if (cut.n + 4 < cap || cut.n > cap || memcmp(cut.p, whole.p, cut.n) != 0)
            fail_msg("cap %zu: '%s'", cap, cut.p);
        assert_false(twx_is_space((unsigned char)cut.p[cut.n - 1]));
        assert_true(twx_utf8_valid(twx_buf_slice(&cut)));
        twx_buf_done(&cut);
    }
}

TEST(r7_links_lead_to_other_pages) {
    static const char PAGE[] =
        "<head><base href='https://a.example/other/'><title>t</title></head><body><a "
        "href='x'>x</a> <A HREF='../y?q#part'>y</A><a "
        "href='HTTPS://B.example:443'>b</a><a>none</a><a href=''>e</a><a href='#here'>base</a><a "
        "href='/dir/page#me'>itself</a><a href='mailto:a@b'>m</a><a "
        "href='javascript:void(0)'>j</a><a href='ftp://c/'>f</a><noscript><a "
        "href='hidden'></a></noscript><a href='x'>again</a><link href='no'><a href='z&#10;z'>z</a>";
    parse(PAGE);
    assert_int_equal(page.links.n, 0); /* links were not asked for */
    page.keep_links = true;
    parse(PAGE);
    assert_string_equal(text(&page.links),
                        "https://a.example/other/x\nhttps://a.example/y?q\nhttps://b.example/\n"
                        "https://a.example/other/\nhttps://a.example/other/x\n"
                        "https://a.example/other/zz\n");
    parse("<p>no links");
    assert_int_equal(page.links.n, 0);
}

/* [R6]: what does not fit is left out whole. */
TEST(r7_links_are_bounded) {
    enum { ANCHORS = 60000, ANCHOR_BYTES = 32 };
    static char html[ANCHORS * ANCHOR_BYTES + 1];
    size_t n = 0, lines = 0;
    for (size_t i = 0; i < ANCHORS; i++)
        n += (size_t)snprintf(html + n, ANCHOR_BYTES, "<a href='/a%zu'></a>", i);
    page.keep_links = true;
    parse_as("utf-8", html, n);
    assert_true(page.links.n <= TWX_HTML_LINKS_BYTES && page.links.n > TWX_HTML_LINKS_BYTES - 100);
    for (size_t i = 0; i < page.links.n; i++) lines += page.links.p[i] == '\n';
    assert_true(lines > 30000);
    assert_int_equal(page.links.p[page.links.n - 1], '\n');
}

TEST(r8_names_of_elements_may_contain_nul) {
    for (twx_tag tag = TWX_TAG_unknown + 1; tag < TWX_TAGS; tag++) {
        const char *name = TWX_ELEMENT[tag].name;
        const size_t n = strlen(name);
        for (size_t at = 0; at <= n; at++) {
            /* on the heap: the address sanitizer sees what is read beyond it */
            char *with_nul = calloc(1, 2 * n + 1);
            assert_non_null(with_nul);
            memcpy(with_nul, name, at);
            memcpy(with_nul + at + 1, name, n);
            for (size_t length = at + 1; length <= at + 1 + n; length++)
                assert_int_equal(twx_tag_of((twx_slice){with_nul, length}), TWX_TAG_unknown);
            free(with_nul);
        }
    }
}

TESTS_WITH(setup, teardown);
