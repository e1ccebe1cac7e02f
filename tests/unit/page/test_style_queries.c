/* Media queries and selectors against Chromium 1280 x 800: whether matchMedia() says yes, and which
 * words of a page are rendered when a selector's rule is { display: none }. */
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
    {"(min-width)", false},
    {"(max-width)", false},
    {"(monochrome)", false},
    {"(grid)", false},
    {"(min-width: 80em)", true},
    {"(min-width: 80.01em)", false},
    {"(min-width: 80rem)", true},
    {"(max-width: 79.99rem)", false},
    {"(max-width: -5px)", false},
    {"(max-width: 99999999999px)", true},
    {"(min-width: 99999999999px)", false},
    {"(min-width: 0.0)", true},
    {"(max-width: 1300)", false},
    {"not (max-width: 1300)", false},
    {"(width >= 600px)", true},
    {"(width > 1280px)", false},
    {"(width >= 1280px)", true},
    {"(width < 1280px)", false},
    {"(width <= 1280px)", true},
    {"(600px < width < 1280px)", false},
    {"(600px <= width >= 1300px)", false},
    {"(600px >= width)", false},
    {"(min-resolution: 2dppx)", false},
    {"(min-resolution: 1.5x)", false},
    {"(-webkit-min-device-pixel-ratio: 2)", false},
    {"(orientation: portrait)", false},
    {"(prefers-color-scheme: dark)", false},
    {"(prefers-reduced-motion)", false},
    {"(prefers-reduced-motion: reduce)", false},
    {"(forced-colors: active)", false},
    {"(forced-colors)", false},
    {"(prefers-contrast: more)", false},
    {"(prefers-contrast)", false},
    {"(display-mode: standalone)", false},
    {"(update: slow)", false},
    {"screen and (min-width: 600px)", true},
    {"screen and (max-width: 600px)", false},
    {"print and (min-width: 600px)", false},
    {"not screen and (max-width: 600px)", true},
    {"not all and (min-width: 600px)", false},
    {"screen and (min-width: 600px) and (max-width: 1400px)", true},
    {"screen and (min-width: 600px) and (max-width: 1000px)", false},
    {"(max-width: 600px) or (orientation: portrait)", false},
    {"not (min-width: 600px)", false},
    {"not (max-width: 600px)", true},
    {"(not (min-width: 600px))", false},
    {"(unknown: 3)", false},
    {"not (unknown: 3)", false},
    {"(min-width: abc)", false},
    {"(min-width: 10furlongs)", false},
    {"tty", false},
    {"not tty", true},
    {"only tty, screen", true},
    {"SCREEN AND (MIN-WIDTH: 600PX)", true},
    {"( min-width : 600px )", true},
    {"(min-height: 801px)", false},
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
    {"[title]", 0xffd},
    {"[title=T]", 0xffd},
    {"[title=t]", 0xfff},
    {"[title='T']", 0xffd},
    {"[title=\"T\"]", 0xffd},
    {"[nope]", 0xfff},
    {"[title=T", 0xfff},
    {"[title==T]", 0xfff},
    {"[=T]", 0xfff},
    {"[title~T]", 0xfff},
    {".c1", 0xe00},
    {"div.c1.c2", 0xe00},
    {".c1.c3", 0xfff},
    {".C1", 0xf7f},
    {"p:hover", 0xfff},
    {"p::before", 0xfff},
    {"p::nonsense", 0xfff},
    {"p:nonsense", 0xfff},
    {"p, span", 0xdf8},
    {"html p", 0xdfc},
    {"body > p", 0xfff},
    {"body > div > p", 0xdfc},
    {"p\\#x, #p1", 0xffe},
    {"#p\\31", 0xffe},
    {"#p\\31 ", 0xffe},
    {"\\70#p1", 0xffe},
    {"#\\70 1", 0xffe},
    {"#p\\000031", 0xffe},
    {"#\\0", 0x7ff}, /* U+FFFD, as what no character has */
    {"#\\110000", 0x7ff},
    {"#\\d800", 0x7ff},
    {"#\\dfff", 0x7ff},
    {"#\\e000", 0xfff},
    {"p{", 0xfff},
    {"em, strong, #p1", 0xbfe},
};
/* clang-format on */

/* A browser knows these, and here they are dropped: nothing is hidden by mistake. */
static const char *const DROPPED[] = {
    "[*|title]",     "[|title]",   "[title^=T]",    "[lang|=en]",      "[title=t i]", "p + p",
    "#d1 ~ section", "p:not(.x)",  "a:link",        "li:nth-child(2)", ":root #p1",   "p:is(#p1)",
    "div:has(> em)", "p:lang(en)", "p:first-child", "i:empty",         "p/* c */#p1"};

static const char BODY[] =
    "<div id=\"d1\" class=\"c1 c2\" lang=\"en-GB\" data-a=\"one two\" data-b=\"one-two-three\"><p i"
    "d=\"p1\">w1</p><p id=\"p2\" title=\"T\">w2</p><span>w3</span> <a href=\"x\">w4</a> <a>w5</a>"
    "<i></i><ul><li>w6</li><li>w7</li><li class=\"C1\">w8</li><li>w9</li></ul></div><div id"
    "=\"d2\"><p>w10</p><em>w11</em></div><section id=\"\xEF\xBF\xBD\"><b>w12</b></section>";

TEST(media_queries_match_as_in_a_browser) {
    for (size_t i = 0; i < sizeof MEDIA / sizeof *MEDIA; i++)
        if (twx_media_matches(twx_slice_of(MEDIA[i].query)) != MEDIA[i].matches)
            fail_msg("@media %s: %d", MEDIA[i].query, !MEDIA[i].matches);
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
    twx_ctx cx = {0};
    twx_buf text = {.max = 1 << 16};
    snprintf(page, sizeof page,
             "<!DOCTYPE html><pre id=o></pre><style id=s>%s{display:none}</style>%s"
             "<script></script>",
             selector, BODY);
    assert_ok(twx_html_text(&cx, twx_slice_of(page), TWX_SLICE_LIT("utf-8"), &text));
    const unsigned shown = words_of(twx_buf_slice(&text));
    twx_buf_done(&text);
    return shown;
}

TEST(selectors_hide_as_in_a_browser) {
    for (size_t i = 0; i < sizeof SELECTORS / sizeof *SELECTORS; i++)
        if (shown_with(SELECTORS[i].selector) != SELECTORS[i].shown)
            fail_msg("%s: 0x%03x, wanted 0x%03x", SELECTORS[i].selector,
                     shown_with(SELECTORS[i].selector), SELECTORS[i].shown);
    for (size_t i = 0; i < sizeof DROPPED / sizeof *DROPPED; i++)
        if (shown_with(DROPPED[i]) != ALL) fail_msg("%s hides something", DROPPED[i]);
}
