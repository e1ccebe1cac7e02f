/* page_values: what the SQL functions take from a page is what an import takes from it. */
#include "support.h"

#include "page/page.h"

static const char *const PAGES[] = {
    "<!doctype html><html lang=' de '><head><title> A  b </title><meta name=robots "
    "content=NOINDEX><meta name=robots content=follow><meta name=description content=' c  d "
    "'><base "
    "href='/x/'><link rel=canonical href=y><base href=http://no/><link rel=alternate hreflang=en "
    "href='../en'><meta http-equiv=refresh content='0; url=z'></head><body><h1>H</h1><p>text",
    "<link rel='alternate canonical' hreflang=fr href=''><link rel=canonical href=//o.example/>"
    "<link rel=canonical href=second><meta http-equiv=refresh content='0'><meta http-equiv=refresh "
    "content='9;url=/late'><body>x",
    "<title></title><meta name=description content=''><frameset>",
    "<body><link rel=canonical href=/in-the-body><meta name=robots content=noindex>",
    "<html lang=''><p lang=en>x<html lang=fr>",
    "plain text",
    "",
    "<meta charset=iso-8859-1><title>\xc3\xa4</title>",
};

static const char *const URLS[] = {"https://a.example/dir/page", "HTTP://A.example:80/x/z#f",
                                   "https://a.example/en", "no url", ""};

static const char *value(twx_page_memo **memo, const char *name, const char *page, bool blob,
                         const char *url, char room[512]) {
    const twx_page_function *f = twx_page_function_find(name);
    const twx_page_argument arguments[] = {{twx_slice_of(page), blob},
                                           {url ? twx_slice_of(url) : (twx_slice){"", 0}, false}};
    const twx_page_call call = {memo, arguments, url ? 2 : 1};
    twx_page_kind kind = TWX_PAGE_NONE;
    twx_ctx cx = {0};
    twx_buf out = {.max = 1 << 20};
    assert_non_null(f);
    assert_ok(f->call(&cx, f, &call, &out, &kind));
    assert_true(out.n < 512);
    memcpy(room, out.n ? out.p : "", out.n);
    room[out.n] = '\0';
    twx_buf_done(&out);
    return kind == TWX_PAGE_NONE ? NULL : room;
}

static void expect(const char *what, const char *got, const twx_buf *wanted, bool there) {
    if (!there && got) fail_msg("%s: '%s' instead of none", what, got);
    if (there && !got) fail_msg("%s: none instead of '%s'", what, twx_buf_slice(wanted).p);
    if (there) assert_string_equal(got, twx_buf_slice(wanted).p);
}

/* [R1] in any order of pages, URLs and functions, with one memo for all. */
TEST(they_are_those_of_an_import) {
    twx_page_memo *memo = NULL;
    char room[512];
    for (size_t i = 0; i < 2 * TWX_COUNTOF(PAGES) * TWX_COUNTOF(URLS); i++) {
        const bool blob = i % 2;
        const char *page = PAGES[i / 2 % TWX_COUNTOF(PAGES)];
        const char *at = URLS[i / 2 / TWX_COUNTOF(PAGES)];
        twx_ctx cx = {0};
        twx_arena arena = {0};
        twx_url url;
        twx_html h;
        twx_html_init(&h, 1 << 20);
        assert_ok(twx_url_normalize(&cx, &arena, NULL, twx_slice_of(at), &url));
        assert_ok(twx_html_parse(&cx, twx_slice_of(page),
                                 blob ? (twx_slice){NULL, 0} : TWX_SLICE_LIT("utf-8"), &url, &h));
        const struct {
            const char *name;
            const twx_buf *field;
            bool with_url, there;
        } FIELDS[] = {{"html_canonical", &h.canonical_url, true, h.canonical_url.n > 0},
                      {"html_text", &h.text, false, true},
                      {"html_refresh", &h.redirect_url, true, h.redirect_url.n > 0},
                      {"html_title", &h.title, false, h.has_title},
                      {"html_headings", &h.headings, false, h.headings.n > 0},
                      {"html_hreflang", &h.hreflang_group, true, h.hreflang_group.n > 0},
                      {"html_description", &h.description, false, h.has_description},
                      {"html_robots", &h.robots, false, h.robots.n > 0},
                      {"html_language", &h.language, false, h.language.n > 0}};
        for (size_t k = 0; k < TWX_COUNTOF(FIELDS); k++)
            expect(FIELDS[k].name,
                   value(&memo, FIELDS[k].name, page, blob, FIELDS[k].with_url ? at : NULL, room),
                   FIELDS[k].field, FIELDS[k].there);
        const char *layout = value(&memo, "HTML_Layout", page, blob, NULL, room);
        assert_string_equal(layout ? layout : "", h.layout_digest);
        twx_html_done(&h);
        twx_arena_done(&arena);
    }
    twx_page_memo_close(memo);
    twx_page_memo_close(NULL);
}

TEST(without_a_url_only_absolute_links_count) {
    static const struct {
        const char *name, *page, *value;
    } CASES[] = {
        {"html_canonical", "<link rel=canonical href=x>", NULL},
        {"html_canonical", "<link rel=canonical href=x><link rel=canonical href=HTTP://b/x>",
         "http://b/x"},
        {"html_canonical", "<base href=http://b/y/><link rel=canonical href=x>", "http://b/y/x"},
        {"html_canonical", "<base href=y/><link rel=canonical href=http://b/x>", "http://b/x"},
        {"html_refresh", "<meta http-equiv=refresh content='0; url=http://b/x'>", "http://b/x"},
        {"html_hreflang", "<link rel=alternate hreflang=de href=http://b/de>", "http://b/de"},
    };
    twx_page_memo *memo = NULL;
    char room[512];
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        const char *got = value(&memo, CASES[i].name, CASES[i].page, false, NULL, room);
        assert_string_equal(got ? got : "none", CASES[i].value ? CASES[i].value : "none");
    }
    twx_page_memo_close(memo);
}
