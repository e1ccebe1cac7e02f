/* Media queries, @supports and selectors against Chromium 1280 x 800: whether matchMedia() and
 * CSS.supports() say yes, and which words of a page are rendered when a selector's rule is {
 * display: none }. Left out is what depends on its having no mouse, a small screen and scripts. */
#include "support.h"

#include "page/internal.h"

enum { ALL = 0xfff };

/* clang-format off */
static const struct {
    const char *query;
    bool matches;
} MEDIA[] = {
    {"", true},
    {"all", true},
    {"screen", true},
    {"print", false},
    {"screen, print", true},
    {"print, screen", true},
    {"not print", true},
    {"not screen", false},
    {"only screen", true},
    {"only print", false},
    {"(min-width: 600px)", true},
    {"(max-width: 600px)", false},
    {"(min-width:1280px)", true},
    {"(max-width:1280px)", true},
    {"(min-width:1281px)", false},
    {"(width: 1280px)", true},
    {"(width:1279px)", false},
    {"(width)", true},
    {"(height)", true},
    {"(min-width)", false},
    {"(max-width)", false},
    {"(color)", true},
    {"(min-color: 4)", true},
    {"(color: 8)", true},
    {"(monochrome)", false},
    {"(grid)", false},
    {"(min-width: 80em)", true},
    {"(min-width: 80.01em)", false},
    {"(min-width: 80rem)", true},
    {"(max-width: 79.99rem)", false},
    {"(min-width: -5px)", true},
    {"(max-width: -5px)", false},
    {"(width >= 600px)", true},
    {"(width > 1280px)", false},
    {"(width >= 1280px)", true},
    {"(width < 1280px)", false},
    {"(width <= 1280px)", true},
    {"(width = 1280px)", true},
    {"(600px <= width <= 1300px)", true},
    {"(600px < width < 1280px)", false},
    {"(1300px > width > 600px)", true},
    {"(600px <= width >= 1300px)", false},
    {"(600px >= width)", false},
    {"(400px<width)", true},
    {"(min-resolution: 1dppx)", true},
    {"(min-resolution: 2dppx)", false},
    {"(min-resolution: 1.5x)", false},
    {"(max-resolution: 1x)", true},
    {"(-webkit-min-device-pixel-ratio: 2)", false},
    {"(-webkit-min-device-pixel-ratio: 1)", true},
    {"(-webkit-max-device-pixel-ratio: 1.5)", true},
    {"(-webkit-device-pixel-ratio: 1)", true},
    {"(orientation: landscape)", true},
    {"(orientation: portrait)", false},
    {"(orientation)", true},
    {"(prefers-color-scheme: dark)", false},
    {"(prefers-color-scheme: light)", true},
    {"(prefers-color-scheme)", true},
    {"(prefers-reduced-motion)", false},
    {"(prefers-reduced-motion: reduce)", false},
    {"(prefers-reduced-motion: no-preference)", true},
    {"(forced-colors: active)", false},
    {"(forced-colors: none)", true},
    {"(forced-colors)", false},
    {"(prefers-contrast: more)", false},
    {"(prefers-contrast)", false},
    {"(display-mode: browser)", true},
    {"(display-mode: standalone)", false},
    {"(update: fast)", true},
    {"(update: slow)", false},
    {"screen and (min-width: 600px)", true},
    {"screen and (max-width: 600px)", false},
    {"print and (min-width: 600px)", false},
    {"not screen and (max-width: 600px)", true},
    {"not all and (min-width: 600px)", false},
    {"screen and (min-width: 600px) and (max-width: 1400px)", true},
    {"screen and (min-width: 600px) and (max-width: 1000px)", false},
    {"(min-width: 600px) or (orientation: portrait)", true},
    {"(max-width: 600px) or (orientation: landscape)", true},
    {"(max-width: 600px) or (orientation: portrait)", false},
    {"not (min-width: 600px)", false},
    {"not (max-width: 600px)", true},
    {"(not (min-width: 600px))", false},
    {"(not (max-width: 600px))", true},
    {"((min-width: 600px))", true},
    {"((min-width: 600px) and (orientation: landscape))", true},
    {"((max-width: 600px) or (min-width: 1000px))", true},
    {"screen and (not (max-width: 600px))", true},
    {"(unknown: 3)", false},
    {"not (unknown: 3)", false},
    {"(min-width: abc)", false},
    {"(min-width: 10furlongs)", false},
    {"tty", false},
    {"not tty", true},
    {"only tty, screen", true},
    {"SCREEN AND (MIN-WIDTH: 600PX)", true},
    {"( min-width : 600px )", true},
    {"(min-height: 800px)", true},
    {"(min-height: 801px)", false},
}, SUPPORTS[] = {
    {"(display: grid)", true},
    {"(display:grid)", true},
    {"not (display: grid)", false},
    {"(display: grid) and (color: red)", true},
    {"(display: grid) or (nonsense: 3)", true},
    {"(-ms-ime-align: auto)", false},
    {"(-moz-appearance: none)", false},
    {"not (-moz-appearance: none)", true},
    {"(-webkit-touch-callout: none)", false},
    {"(-webkit-hyphens: none)", false},
    {"(hanging-punctuation: first)", false},
    {"selector(:has(a))", true},
    {"not selector(:has(a))", false},
    {"((display: grid) and (not (-ms-ime-align: auto)))", true},
    {"(-webkit-appearance: none)", true},
    {"(position: sticky) or (position: -webkit-sticky)", true},
    {"(--x: green)", true},
    {"(position: -o-sticky)", false},
};

/* shown: bit n for the word w(n+1) */
static const struct {
    const char *selector;
    unsigned shown;
} SELECTORS[] = {
    {"#p1", 0xffe},
    {"#nope", 0xfff},
    {"p", 0xdfc},
    {"*", 0x000},
    {"P", 0xdfc},
    {"p#p2", 0xffd},
    {"div > p", 0xdfc},
    {"div>span", 0xffb},
    {"#d1 p", 0xffc},
    {"#d1 + div", 0x9ff},
    {"#d1 ~ section", 0x7ff},
    {"p + p", 0xffd},
    {"p ~ span", 0xffb},
    {"p + span", 0xffb},
    {"[title]", 0xffd},
    {"[title=T]", 0xffd},
    {"[title=t]", 0xfff},
    {"[title=t i]", 0xffd},
    {"[title='T']", 0xffd},
    {"[title=\"T\"]", 0xffd},
    {"[data-a~=one]", 0xe00},
    {"[data-a~=on]", 0xfff},
    {"[data-a~='']", 0xfff},
    {"[data-b|=one]", 0xe00},
    {"[data-b|=on]", 0xfff},
    {"[lang|=en]", 0xe00},
    {"[data-a^=one]", 0xe00},
    {"[data-a$=two]", 0xe00},
    {"[data-a*='e t']", 0xe00},
    {"[data-a*='']", 0xfff},
    {"[data-a^='']", 0xfff},
    {"[nope]", 0xfff},
    {"[title=T", 0xfff},
    {"[title==T]", 0xfff},
    {"[=T]", 0xfff},
    {"[title~T]", 0xfff},
    {".c1", 0xe00},
    {"div.c1.c2", 0xe00},
    {".c1.c3", 0xfff},
    {".C1", 0xf7f},
    {"li:first-child", 0xfdf},
    {"li:last-child", 0xeff},
    {"li:nth-child(2)", 0xfbf},
    {"li:nth-child(odd)", 0xf5f},
    {"li:nth-child(even)", 0xebf},
    {"li:nth-child(2n+1)", 0xf5f},
    {"li:nth-child(-n+2)", 0xf9f},
    {"li:nth-child( 2n + 1 )", 0xf5f},
    {"li:nth-child(n)", 0xe1f},
    {"li:nth-child(n+3)", 0xe7f},
    {"li:nth-child(+3)", 0xf7f},
    {"li:nth-child(3n-1)", 0xfbf},
    {"li:nth-child(2 of .c1)", 0xfff},
    {"li:nth-child(x)", 0xfff},
    {"li:nth-child(2n+)", 0xfff},
    {"li:nth-last-child(1)", 0xeff},
    {"li:nth-last-child(2n)", 0xf5f},
    {"li:only-child", 0xfff},
    {"b:only-child", 0x7ff},
    {"p:first-of-type", 0xdfe},
    {"p:last-of-type", 0xdfd},
    {"p:nth-of-type(2)", 0xffd},
    {"span:only-of-type", 0xffb},
    {"i:empty", 0xfff},
    {"p:empty", 0xfff},
    {"a:link", 0xff7},
    {"a:any-link", 0xff7},
    {"a:visited", 0xfff},
    {"a:not([href])", 0xfef},
    {"li:not(:first-child)", 0xe3f},
    {"li:not(:first-child, :last-child)", 0xf3f},
    {"li:not(.C1):not(:first-child)", 0xebf},
    {"p:is(#p1, #p2)", 0xffc},
    {"p:where(#p1)", 0xffe},
    {"p:not(#p1", 0xfff},
    {"p:not()", 0xfff},
    {"p:hover", 0xfff},
    {"p:focus", 0xfff},
    {"a:target", 0xfff},
    {"a:active", 0xfff},
    {"p::before", 0xfff},
    {"p::nonsense", 0xfff},
    {"p:nonsense", 0xfff},
    {"p, span", 0xdf8},
    {"p, p:nonsense", 0xfff},
    {"p,, span", 0xfff},
    {"p:root", 0xfff},
    {"html p", 0xdfc},
    {"body > p", 0xfff},
    {"body > div > p", 0xdfc},
    {":root #p1", 0xffe},
    {"p\\#x, #p1", 0xffe},
    {"#p\\31", 0xffe},
    {"#p\\31 ", 0xffe},
    {"\\70#p1", 0xffe},
    {"#\\70 1", 0xffe},
    {"#p\\000031", 0xffe},
    {"div:has(b)", 0xfff},
    {"p/* c */#p1", 0xffe},
    {"p{", 0xfff},
    {"ul li:nth-child(2) ~ li", 0xe7f},
    {"li + li + li", 0xe7f},
    {"div p:not([title])", 0xdfe},
    {"em, strong, #p1", 0xbfe},
    {"section:last-child b", 0xfff},
    {"div:first-of-type p", 0xffc},
    {"p:enabled", 0xfff},
    {"p:checked", 0xfff},
    {"p:first-line", 0xfff},
};
/* clang-format on */

/* A browser knows these, and here their rules are dropped: nothing is hidden by mistake. */
static const char *const DROPPED[] = {
    "[*|title]",     "[|title]",   "p:is(#p1, ::x)",  "p:first-child:not(#d2 p)",
    "div:has(> em)", "p:lang(en)", "p:not(div > #p1)"};

static const char BODY[] =
    "<div id=\"d1\" class=\"c1 c2\" lang=\"en-GB\" data-a=\"one two\" data-b=\"one-two-three\"><p i"
    "d=\"p1\">w1</p><p id=\"p2\" title=\"T\">w2</p><span>w3</span> <a href=\"x\">w4</a> <a>w5</a>"
    "<i></i><ul><li>w6</li><li>w7</li><li class=\"C1\">w8</li><li>w9</li></ul></div><div id"
    "=\"d2\"><p>w10</p><em>w11</em></div><section><b>w12</b></section>";

static void media_queries_match_as_in_a_browser(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof MEDIA / sizeof *MEDIA; i++)
        if (twx_media_matches(twx_slice_of(MEDIA[i].query)) != MEDIA[i].matches)
            fail_msg("@media %s: %d", MEDIA[i].query, !MEDIA[i].matches);
    for (size_t i = 0; i < sizeof SUPPORTS / sizeof *SUPPORTS; i++)
        if (twx_supports(twx_slice_of(SUPPORTS[i].query)) != SUPPORTS[i].matches)
            fail_msg("@supports %s: %d", SUPPORTS[i].query, !SUPPORTS[i].matches);
}

static unsigned words_of(twx_slice text) {
    unsigned shown = 0;
    for (size_t from = 0, to; from < text.n; from = to + 1) {
        unsigned n = 0;
        to = from;
        while (to < text.n && !twx_is_space((unsigned char)text.p[to])) to++;
        if (to - from > 1 && text.p[from] == 'w')
            for (size_t i = from + 1; i < to; i++) n = n * 10 + (unsigned)(text.p[i] - '0');
        if (n) shown |= 1u << (n - 1);
    }
    return shown;
}

static unsigned shown_with(const char *selector) {
    char page[2048];
    twx_ctx cx;
    twx_buf text;
    twx_ctx_init(&cx);
    twx_buf_init(&text, 1 << 16);
    snprintf(page, sizeof page,
             "<!DOCTYPE html><pre id=o></pre><style id=s>%s{display:none}</style>%s"
             "<script></script>",
             selector, BODY);
    assert_int_equal(twx_html_text(&cx, twx_slice_of(page), TWX_SLICE_LIT("utf-8"), &text), TWX_OK);
    const unsigned shown = words_of(twx_buf_slice(&text));
    twx_buf_done(&text);
    return shown;
}

static void selectors_hide_as_in_a_browser(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof SELECTORS / sizeof *SELECTORS; i++)
        if (shown_with(SELECTORS[i].selector) != SELECTORS[i].shown)
            fail_msg("%s: 0x%03x, wanted 0x%03x", SELECTORS[i].selector,
                     shown_with(SELECTORS[i].selector), SELECTORS[i].shown);
    for (size_t i = 0; i < sizeof DROPPED / sizeof *DROPPED; i++)
        if (shown_with(DROPPED[i]) != ALL) fail_msg("%s hides something", DROPPED[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(media_queries_match_as_in_a_browser),
        cmocka_unit_test(selectors_hide_as_in_a_browser),
    };
    return cmocka_run_group_tests_name("style queries", tests, NULL, NULL);
}
