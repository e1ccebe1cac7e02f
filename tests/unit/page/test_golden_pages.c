/* tests/golden/pages: what Chromium showed of each page with scripts off (scripts/compare-browser
 * --record) is what we read: the same words in the same order, the same title, headings and
 * encoding. */
#include "support.h"

#include <jansson.h>

#include "page/page.h"

#define FOLDER TWINDEX_SOURCE_DIR "/tests/golden/pages/"

/* Pages that are read otherwise on purpose. */
static const struct {
    const char *page, *reason;
} DEVIATIONS[] = {
    {"encoding-utf8-undeclared.html",
     "valid UTF-8 without a declaration is UTF-8 for us, windows-1252 for Chromium"},
};

static twx_slice read_file(const char *name) {
    char path[4096];
    snprintf(path, sizeof path, FOLDER "%s", name);
    size_t n = 0;
    char *bytes = test_read_file(path, &n);
    return (twx_slice){bytes, n};
}

static bool same_words(twx_slice a, twx_slice b) {
    size_t i = 0, j = 0;
    for (;;) {
        const size_t from_i = i, from_j = j;
        while (i < a.n && twx_is_space((unsigned char)a.p[i])) i++;
        while (j < b.n && twx_is_space((unsigned char)b.p[j])) j++;
        if (i == a.n || j == b.n) return i == a.n && j == b.n;
        /* a word ends here in one of them */
        if ((i > from_i || i == 0) != (j > from_j || j == 0)) return false;
        if (a.p[i++] != b.p[j++]) return false;
    }
}

static bool deviates(const char *page) {
    for (size_t i = 0; i < TWX_COUNTOF(DEVIATIONS); i++)
        if (strcmp(DEVIATIONS[i].page, page) == 0) return true;
    return false;
}

static twx_slice string_in(const json_t *expected, const char *name) {
    const json_t *text = json_object_get(expected, name);
    return (twx_slice){json_string_value(text), json_string_length(text)};
}

static int check_page(twx_ctx *cx, twx_html *html, const json_t *expected) {
    const char *name = json_string_value(json_object_get(expected, "page"));
    const char *charset = json_string_value(json_object_get(expected, "charset"));
    const json_t *title = json_object_get(expected, "title");
    const twx_slice bytes = read_file(name);
    assert_ok(twx_html_parse(cx, bytes, *charset ? twx_slice_of(charset) : (twx_slice){NULL, 0},
                             NULL, html));
    bool ascii = true; /* then the encoding does not matter */
    for (size_t i = 0; i < bytes.n; i++) ascii &= (unsigned char)bytes.p[i] < 0x80;
    free((void *)(uintptr_t)bytes.p);
    if (deviates(name)) return 0;
    const twx_slice wanted = string_in(expected, "text"), got = twx_buf_slice(&html->text),
                    heads = string_in(expected, "headings");
    int wrong = 0;
    if (!same_words(wanted, got)) {
        print_error("%s: text\n   browser: %.*s\n   ours:    %.*s\n", name, (int)wanted.n, wanted.p,
                    (int)got.n, got.p);
        wrong = 1;
    }
    if (json_is_null(title) == html->has_title ||
        (html->has_title &&
         !twx_slice_eq(twx_buf_slice(&html->title), string_in(expected, "title")))) {
        print_error("%s: title '%s', ours '%s'\n", name, json_string_value(title),
                    twx_buf_slice(&html->title).p);
        wrong = 1;
    }
    if (!twx_slice_eq(twx_buf_slice(&html->headings), heads)) {
        print_error("%s: headings\n   browser: %.*s\n   ours:    %s\n", name, (int)heads.n, heads.p,
                    html->headings.n ? html->headings.p : "");
        wrong = 1;
    }
    if (!ascii &&
        strcasecmp(json_string_value(json_object_get(expected, "encoding")), html->encoding) != 0) {
        print_error("%s: encoding %s, ours %s\n", name,
                    json_string_value(json_object_get(expected, "encoding")), html->encoding);
        wrong = 1;
    }
    return wrong;
}

TEST(pages_read_as_the_browser_shows_them) {
    twx_ctx cx = {0};
    twx_html html;
    int pages = 0, wrong = 0;
    char *line = NULL;
    size_t room = 0;
    twx_html_init(&html, 1 << 20);
    FILE *f = fopen(FOLDER "expected.jsonl", "r");
    assert_non_null(f);
    while (getline(&line, &room, f) > 0) {
        json_t *expected = json_loads(line, JSON_ALLOW_NUL, NULL);
        assert_non_null(expected);
        wrong += check_page(&cx, &html, expected);
        pages++;
        json_decref(expected);
    }
    fclose(f);
    free(line);
    twx_html_done(&html);
    assert_true(pages >= 60);
    assert_int_equal(wrong, 0);
}

/* Deeper than any browser's tree, and than our stack at the end. */
TEST(deep_nesting_keeps_the_text) {
    static const char *const NAMES[] = {"div", "span",   "b",      "i id=x", "table><tr><td",
                                        "x-y", "ul><li", "svg><g", "p",      "font"};
    twx_ctx cx = {0};
    twx_html html;
    twx_html_init(&html, 1 << 20);
    for (size_t k = 0; k < TWX_COUNTOF(NAMES); k++) {
        for (int depth = 10000; depth <= (k == 7 ? 10000 : 100000); depth *= 10) {
            char *page = malloc((size_t)depth * 40 + 100);
            size_t n = (size_t)sprintf(page, "<!DOCTYPE html><title>deep</title>before ");
            for (int i = 0; i < depth; i++) n += (size_t)sprintf(page + n, "<%s>", NAMES[k]);
            n += (size_t)sprintf(page + n, "%s", k == 7 ? "<text>inside</text>" : "inside");
            for (int i = 0; i < depth; i++)
                n += (size_t)sprintf(page + n, "</%.*s>", (int)strcspn(NAMES[k], " >"), NAMES[k]);
            n += (size_t)sprintf(page + n, " after");
            assert_ok(twx_html_parse(&cx, (twx_slice){page, n}, (twx_slice){NULL, 0}, NULL, &html));
            assert_string_equal(html.title.p, "deep");
            if (!strstr(html.text.p, "before") || !strstr(html.text.p, "inside") ||
                (k != 7 && !strstr(html.text.p, "after")))
                fail_msg("%s nested %d times: '%s'", NAMES[k], depth, html.text.p);
            free(page);
        }
    }
    twx_html_done(&html);
}
