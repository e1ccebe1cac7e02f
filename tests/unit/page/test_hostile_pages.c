/* html R6: hostile pages cost linear time. Each pattern fills pages of two sizes; four times the
 * bytes may take at most eight times the processor time. One measurement can be disturbed, so a
 * pattern fails only if every one of several does. */
#include "support.h"

#include "page/page.h"

/* The slack is three steps of the clock: virtual machines have been seen to count a process's time
 * in steps of 10 ms. What is quadratic takes a second and more for the large page. */
enum { SMALL = 1 << 16, LARGE = 4 * SMALL, FACTOR = 8, TRIES = 5, SLACK_MS = 30 };

/* What a page begins with, and what is repeated up to its size; '#' stands for a number that counts
 * up. "a\vb\vc": a is repeated up to half of the size, then follows b, then c is repeated. */
static const struct {
    const char *begin, *repeat;
} PATTERNS[] = {
    {"", "<"},
    {"", "&"},
    {"", "<!--"},
    {"", "<!-"},
    {"", "</>"},
    {"", "]]>"},
    {"<svg>", "<![CDATA["},
    {"<svg>", "<![CDATA[x]]>"},
    {"<p ", "a# "},
    {"<p ", "style=x "},
    {"<p ", "a='&amp;' "},
    {"<p class='", "c# "},
    {"", "<div>"},
    {"", "<p>"},
    {"", "<b>"},
    {"", "<b id=#>"},
    {"", "<a href=#>"},
    {"", "<a href=#><div>"},
    {"", "<b id=#><p>x</p>"},
    {"", "<b><div></b>"},
    {"<b><i><u><s><font>", "<p>x"},
    {"", "<i><b><div></i>"},
    {"", "<table>"},
    {"", "<table><tr><td>"},
    {"<table>", "x<b>y"},
    {"<table>", "<div>x</div>"},
    {"<table><tr><td>", "<span></div>"},
    {"", "<ul><li>"},
    {"", "</p>"},
    {"", "</x>"},
    {"", "<x></y>"},
    {"", "<x#></y>"},
    {"", "<template>"},
    {"", "<template><tr><td>"},
    {"", "<select><option>"},
    {"", "<h1>x"},
    {"", "<svg><p>"},
    {"<svg>", "<g></h>"},
    {"<math>", "<mi></x>"},
    {"", "<title>"},
    {"<title>", "</titl"},
    {"<title>", "&"},
    {"<script>", "<!--<script>"},
    {"<script>", "</script"},
    {"<script><!--", "-"},
    {"<textarea>", "</texta"},
    {"", "<form>"},
    {"", "<details><summary>"},
    {"", "<meta name=robots content=x>"},
    {"", "<img alt=x>"},
    {"", "<img alt=#>"},
    {"<img alt='", "x &amp; "},
    {"<meta itemprop='", "# "},
    {"<script type=application/ld+json>", "{\"name\":"},
    {"<script type=application/ld+json>{\"name\":[", "\"#\","},
    {"<script type=application/ld+json>{\"name\":\"", "\\"},
    {"", "<script type=application/ld+json>{\"name\":\"#\"}</script>"},
    {"", "<link rel=canonical href=/#>"},
    {"", "<style>.a{display:none}</style><p class=a>"},
    {"<style>", ".a .b .c#{display:none}"},
    {"<style>", "@media{"},
    {"<style>", "/*"},
    {"<style>", "a{b:"},
    {"<style>.a .a .a .a .b{display:none} .b .b .b .c{display:none}</style>",
     "<p class='a b'><i class=c>"},
    {"<style>li:last-child{display:none}</style>", "<li>"},
    {"<style>b~b~b~i{display:none} b+b{display:none}</style>", "<b></b><i></i>"},
    {"<style>:nth-last-of-type(2){display:none}</style>", "<b></b>"},
    {"<style>[a*=aaaaaaaaab]{display:none}</style>", "<p a=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa>"},
    {"<style>", ":not(:is(:not("},
    {"<style>", "@layer{"},
    {"<style>", "@media (("},
    {"<style>", "a[b="},
    {"<style>", ".c,:bad{display:none}"},
    {"<style>", "p{display:none}"},
    {"<body><p class=a>", "<style>.a{display:none}</style><p class=a>"},
    {"<p style='", "display:none;"},
    {"<p style='", "/*"},
    {"", "&#x10FFFF;"},
    {"", "&CounterClockwiseContourIntegra"},
    {"", "&notin;&not"},
    {"<!doctype html public '", "x"},
    {"", "\xE3\x80\x80\xE2\x80\x8B"},
    {"\xFF\xFE", "<\0b\0"},
    {"", "\x81"},
    /* selectors times elements */
    {"<style>", ".a{display:none}\v</style>\v<p class=a>"},
    {"<style>", ".a .a .b{display:none}\v</style>\v<p class='a b'>"},
    {"<style>", ".a~.b{display:none}\v</style>\v<p class=a></p><p class=b></p>"},
    {"<style>", "*{display:block}\v</style>\v<b></b>"},
    {"<style>", "[c]{display:none}\v</style>\v<p d=e>"},
    {"<style>", "[c*=d]{display:none}\v</style>\v<p c=eeeeeeeeeeeeeeeeeeee>"},
    {"<style>", ":nth-child(2n+#){display:none}\v</style>\v<b></b>"},
    {"<style>", ".c#{display:none}\v</style>\v<p class='c# c1 c2 c3'>"},
    {"<style>", ":not(.c#){display:block}\v</style>\v<p class=c#>"},
    {"<style>", ".a{display:none}</style><style>\v</style>\v<p class=a>"},
    {"", "<b class=a>\v\v<style>.a{display:none}</style>"},
};

static size_t repeat_up_to(char *page, size_t n, size_t size, const char *part, size_t length) {
    for (unsigned count = 0; n + 64 < size; count++)
        for (size_t i = 0; i < length; i++) {
            if (part[i] == '#')
                n += (size_t)snprintf(page + n, 16, "%u", count);
            else
                page[n++] = part[i];
        }
    return n;
}

static size_t fill(char *page, size_t size, size_t pattern) {
    const char *begin = PATTERNS[pattern].begin, *repeat = PATTERNS[pattern].repeat;
    const char *middle = strchr(repeat, '\v'), *second = strrchr(repeat, '\v');
    size_t n = strlen(begin);
    memcpy(page, begin, n);
    if (!middle) return repeat_up_to(page, n, size, repeat, strlen(repeat));
    n = repeat_up_to(page, n, size / 2, repeat, (size_t)(middle - repeat));
    const size_t length = (size_t)(second - middle - 1);
    memcpy(page + n, middle + 1, length);
    return repeat_up_to(page, n + length, size, second + 1, strlen(second + 1));
}

typedef struct reading {
    twx_ctx cx;
    twx_html html;
    twx_url url;
    char *page; /* room for LARGE bytes */
} reading;

/* In milliseconds. */
static double cost(reading *r, size_t size, size_t pattern) {
    const twx_slice page = {r->page, fill(r->page, size, pattern)};
    const double from = test_seconds(CLOCK_PROCESS_CPUTIME_ID);
    assert_ok(twx_html_parse(&r->cx, page, (twx_slice){NULL, 0}, &r->url, &r->html));
    return 1e3 * (test_seconds(CLOCK_PROCESS_CPUTIME_ID) - from);
}

static bool is_linear(reading *r, size_t pattern) {
    double small = 1e9, large = 1e9;
    for (int i = 0; i < TRIES; i++) {
        const double a = cost(r, SMALL, pattern), b = cost(r, LARGE, pattern);
        if (a < small) small = a;
        if (b < large) large = b;
        if (getenv("TWX_SHOW_COST"))
            print_message("%8.1f %8.1f ms  %s|%s\n", a, b, PATTERNS[pattern].begin,
                          PATTERNS[pattern].repeat);
        if (large <= FACTOR * small + SLACK_MS) return true;
    }
    print_error("'%s' and then '%s' again and again: %.0f ms for %d bytes, %.0f ms for %d\n",
                PATTERNS[pattern].begin, PATTERNS[pattern].repeat, small, SMALL, large, LARGE);
    return false;
}

TEST(r6_time_is_linear) {
    reading r = {.page = malloc(LARGE + 64)};
    twx_arena arena = {.keep = 1 << 12};
    twx_ctx_init(&r.cx);
    twx_html_init(&r.html, 64 << 20);
    r.html.keep_links = true;
    assert_ok(twx_url_normalize(&r.cx, &arena, NULL, TWX_SLICE_LIT("https://a.example/"), &r.url));
    int wrong = 0;
    for (size_t i = 0; i < TWX_COUNTOF(PATTERNS); i++) wrong += !is_linear(&r, i);
    twx_html_done(&r.html);
    twx_arena_done(&arena);
    free(r.page);
    assert_int_equal(wrong, 0);
}

/* The defect that was found by attack: 98 s before. */
TEST(r6_300_000_attributes_in_one_tag) {
    enum { ATTRIBUTES = 300000 };
    twx_ctx cx = {0};
    twx_html html;
    char *page = malloc(ATTRIBUTES * 16 + 64);
    size_t n = (size_t)sprintf(page, "<p");
    for (int i = 0; i < ATTRIBUTES; i++) n += (size_t)sprintf(page + n, " a%d=%d", i, i);
    n += (size_t)sprintf(page + n, ">text");
    twx_html_init(&html, 1 << 20);
    const double from = test_seconds(CLOCK_PROCESS_CPUTIME_ID);
    assert_ok(twx_html_parse(&cx, (twx_slice){page, n}, (twx_slice){NULL, 0}, NULL, &html));
    assert_string_equal(html.text.p, "text");
    assert_true(test_seconds(CLOCK_PROCESS_CPUTIME_ID) - from < 2);
    twx_html_done(&html);
    free(page);
}

/* Each open template was a level of recursion: 4 MiB of stack were too few, under the address
 * sanitizer 8 MiB. */
TEST(r6_nested_templates_need_no_stack) {
    static const char NESTED[] = "<template><tr><td>";
    enum { TEMPLATES = 200000 };
    twx_ctx cx = {0};
    twx_html html;
    const size_t n = TEMPLATES * (sizeof NESTED - 1);
    char *page = malloc(n);
    for (size_t i = 0; i < n; i++) page[i] = NESTED[i % (sizeof NESTED - 1)];
    twx_html_init(&html, 1 << 20);
    assert_ok(twx_html_parse(&cx, (twx_slice){page, n}, (twx_slice){NULL, 0}, NULL, &html));
    assert_int_equal(html.text.n, 0);
    twx_html_done(&html);
    free(page);
}
