/* Law: text is valid UTF-8 when the page is, has no empty lines and no doubled blanks; links are
 * lines that are URLs in normal form; names are distinct lines, valid UTF-8, within their limit. */
#include "exact_copy.h"
#include "page/page.h"

static void check_links(twx_ctx *cx, twx_arena *arena, twx_slice links) {
    for (size_t from = 0, end; from < links.n; from = end + 1) {
        twx_url url;
        end = twx_slice_find(links, '\n', from);
        const twx_slice link = twx_slice_sub(links, from, end);
        if (end == links.n || twx_url_normalize(cx, arena, NULL, link, &url) != TWX_OK) abort();
        if (!twx_slice_eq(url.whole, link)) abort();
    }
}

static void check_names(twx_slice names) {
    if (names.n > TWX_HTML_NAMES_BYTES || !twx_utf8_valid(names)) abort();
    for (twx_slice rest = names; rest.n > 0;) {
        const twx_slice name = twx_slice_next_line(&rest);
        if (name.n == 0) abort();
        for (twx_slice others = rest; others.n > 0;) {
            const twx_slice other = twx_slice_next_line(&others);
            /* the last one may have been cut */
            if (others.n > 0 && twx_slice_eq(name, other)) abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    twx_slice in = exact_copy(data, size);
    twx_ctx cx = {0};
    twx_arena arena = {.keep = 1 << 12};
    twx_url url;
    twx_html html;
    twx_html_init(&html, 1 << 20);
    html.keep_links = true;
    if (twx_url_normalize(&cx, &arena, NULL, TWX_SLICE_LIT("https://a.example/b"), &url) != TWX_OK)
        abort();
    if (twx_utf8_valid(in)) {
        if (twx_html_parse(&cx, in, TWX_SLICE_LIT("utf-8"), &url, &html) != TWX_OK) abort();
        twx_slice text = twx_buf_slice(&html.text);
        if (!twx_utf8_valid(text)) abort();
        for (size_t i = 1; i < text.n; i++)
            if (twx_is_space((unsigned char)text.p[i]) &&
                twx_is_space((unsigned char)text.p[i - 1]))
                abort();
        check_links(&cx, &arena, twx_buf_slice(&html.links));
        check_names(twx_buf_slice(&html.names));
    }
    twx_html_done(&html);
    twx_arena_done(&arena);
    return exact_end();
}
