/* Parts of a text, and the content area of a page as such parts. */
#include "support.h"

#include "page/page.h"

static void expect_parts(const char *text, const char *list, const char *parts) {
    twx_ctx cx = {0};
    twx_buf out = {.max = 1000};
    const twx_rc rc = twx_text_parts(&cx, twx_slice_of(text), twx_slice_of(list), &out);
    assert_int_equal(rc, parts ? TWX_OK : TWX_DONE);
    assert_true(parts ? twx_slice_eq(twx_buf_slice(&out), twx_slice_of(parts)) : out.n == 0);
    twx_buf_done(&out);
}

TEST(r1_only_a_list_of_places_in_the_text_is_valid) {
    expect_parts("abc def", "0-3 4-7", "abc\ndef");
    expect_parts("abc", "0-3", "abc");
    expect_parts("abc", "1-2", "b");
    /* clang-format off */
    static const char *const BAD[] = {
        "", "x", "0", "0-", "-3", "1-1", "2-1", "0-4", "3-4", "0-1 1-2", "0-1x", "0-1 3-2", "1-2 0",
        "0 -1", "0-2 0-3", "0--1", "0-1  2-3", " 0-1", "0-0000000000000000000000001"};
    /* clang-format on */
    for (size_t i = 0; i < TWX_COUNTOF(BAD); i++) expect_parts("abc", BAD[i], NULL);
    expect_parts("", "0-0", NULL);
}

TEST(r1_a_part_begins_and_ends_between_characters) {
    expect_parts("\u00e4b", "0-2", "\xC3\xA4");
    expect_parts("\u00e4b", "1-3", NULL);
    expect_parts("\u00e4b", "0-1", NULL);
}

TEST(parts_that_do_not_fit_are_left_out) {
    twx_ctx cx = {0};
    twx_buf out = {.max = 3};
    assert_int_equal(twx_text_parts(&cx, TWX_SLICE_LIT("abcd"), TWX_SLICE_LIT("0-2 3-4"), &out),
                     TWX_DONE);
    assert_int_equal(out.n, 0);
    assert_ok(twx_text_parts(&cx, TWX_SLICE_LIT("abcd"), TWX_SLICE_LIT("0-1 3-4"), &out));
    assert_string_equal(out.p, "a\nd");
    twx_buf_done(&out);
}

/* ---- the content area ----------------------------------------------------- */

/* main: NULL: all of the text. */
static void expect_main(const char *html, const char *main) {
    twx_ctx cx = {0};
    twx_html page;
    twx_buf out = {.max = 1 << 20};
    twx_html_init(&page, 1 << 20);
    assert_ok(twx_html_parse(&cx, twx_slice_of(html), TWX_SLICE_LIT("utf-8"), NULL, &page));
    if (main)
        assert_ok(twx_text_parts(&cx, twx_buf_slice(&page.text), twx_buf_slice(&page.parts), &out));
    else
        assert_int_equal(page.parts.n, 0);
    if (main) assert_string_equal(out.p, main);
    twx_buf_done(&out);
    twx_html_done(&page);
}

TEST(r9_the_content_area_is_main_else_article_else_the_body) {
    expect_main("a<main>b</main>c<article>d</article>", "b");
    expect_main("a<div role=' MAIN '>b</div><main>c</main>d", "b\nc");
    expect_main("a<article>b</article>c<p role=article>d", "b\nd");
    expect_main("<nav>a</nav><p>b</p>c", "b\nc");
    expect_main("<main>a<article>b</article></main>c", "a\nb");
    expect_main("<article>a<main>b</main></article>c", "b");
}

TEST(r9_landmarks_around_the_content_are_outside) {
    expect_main("<header>a</header>b<aside>c</aside><footer>d</footer>", "b");
    expect_main("<div role=banner>a</div>b<div role=contentinfo>c</div><div role=search>d", "b");
    expect_main("<div role=navigation>a</div><p>b</p><div role=complementary>c</div>", "b");
    expect_main("<main>a<nav>b</nav>c<aside>d<article>e</article></aside></main>f", "a\nc");
    expect_main("<aside><main>a</main></aside>b", "b");
    expect_main("<header role=article>a</header>b", "a");
    expect_main("<nav role='none'>a</nav>b", "b");
}

TEST(r9_headers_of_sections_are_content) {
    expect_main("<section><header>a</header>b<footer>c</footer></section><footer>d</footer>",
                "a\nb\nc");
    expect_main("<article><header>a</header>b</article>c", "a\nb");
    expect_main("<main><header>a</header>b</main><header>c</header>", "a\nb");
}

TEST(r9_without_a_content_area_all_text_counts) {
    expect_main("", NULL);
    expect_main("a<p>b", NULL);
    expect_main("<nav>a</nav><footer>b</footer>", NULL);
    expect_main("<main> <script>a</script></main><p>b", NULL);
    expect_main("<main hidden>a</main>b", NULL);
    expect_main("<main>a</main>", NULL);
}

TEST(r9_content_that_is_moved_keeps_its_area) {
    expect_main("<table><nav>a</nav><tr><td>b</table>c", "b\nc");
    expect_main("<b><main>a</b>b</main>c", "ab");
    expect_main("<main><table>a<tr><td>b</table></main>c", "a\nb");
}

/* Beyond the limit the page counts as a whole. */
TEST(r9_the_list_is_bounded) {
    twx_ctx cx = {0};
    twx_buf html;
    for (size_t parts = TWX_TEXT_PARTS_MAX; parts <= TWX_TEXT_PARTS_MAX + 1; parts++) {
        twx_html page;
        twx_html_init(&page, 1 << 20);
        twx_buf_init(&html, 1 << 20);
        for (size_t i = 0; i < parts; i++) assert_ok(twx_buf_add_text(&cx, &html, "<nav>a</nav>b"));
        assert_ok(twx_html_parse(&cx, twx_buf_slice(&html), TWX_SLICE_LIT("utf-8"), NULL, &page));
        assert_int_equal(page.parts.n > 0, parts == TWX_TEXT_PARTS_MAX);
        twx_html_done(&page);
        twx_buf_done(&html);
    }
}
