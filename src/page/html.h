/* page/html.h: what a search index keeps of an HTML page: read as the WHATWG standards say, in one
 * pass, in linear time.
 * [R1] Text is what a browser shows in the body with scripts off, as lines of words (page/flow.h).
 * docs/imported-text.md has the rules. Left out by design: what stands in noscript. [R2] Title:
 * document.title of a browser: the first <title> of HTML in the document, ASCII white space
 * stripped and collapsed. Description: meta name=description, else property=og:description. Robots:
 * all meta name=robots joined by ", ". Headings: the shown text of every <h1>, one a line.
 * [R3] Links are absolute and in normal form (url_norm.h), resolved against <base href> or the
 * page: canonical, meta refresh with a URL (redirect, only with a delay of at most 5 s and another
 * URL than the page's). Metadata counts in the head only, and not inside noscript or template.
 * [R4] hreflang_group: the smallest in byte order of the page's own URL and those of its <link
 * rel=alternate hreflang>; absent when it has none.
 * [R5] layout_digest: first 16 hex digits of SHA-256 over the body's elements in order: "<name>"
 * where tree construction opens one, "</name>" where it closes one; text, attributes, comments,
 * script and style do not count.
 * [R6] Bounded: at most max_text bytes of text and TWX_HTML_LINKS_BYTES of links are kept;
 * html_tree.h bounds the work.
 * [R7] Links: the href of each <a> of the body that leads to another page by http or https, as [R3]
 * says; those beyond the limit are left out. Links in hidden elements do not count.
 * Memory: embedded struct with owned buffers, reused from page to page. */
#ifndef TWX_PAGE_HTML_H
#define TWX_PAGE_HTML_H

#include "base/buf.h"
#include "url/url_norm.h"

enum { TWX_HTML_VERSION = 3, TWX_HTML_LINKS_BYTES = 1 << 20 };

typedef struct twx_html_room twx_html_room;

typedef struct twx_html {
    twx_buf text, title, description, robots, canonical_url, redirect_url, hreflang_group, language;
    twx_buf links;   /* each followed by a line feed; filled when keep_links is set */
    bool keep_links; /* set by the caller after twx_html_init() */
    twx_buf headings;
    const char *encoding;   /* that was decided: decode/encoding.h; static */
    char layout_digest[17]; /* with NUL; "" when the page has no body */
    /* which of them the page has: an empty title differs from none */
    bool has_title, has_description;
    twx_html_room *room; /* what reading needs; kept for the next page */
} twx_html;

void twx_html_init(twx_html *p, size_t max_text);
void twx_html_done(twx_html *p);
/* bytes: as they came, in any encoding. charset: of the HTTP header, absent: none; text of a
 * database: "utf-8". url: of the page, in normal form; NULL: unknown, then no link is resolved and
 * the fields made of links stay empty. A page that is no HTML gives what a browser makes of it.
 * Errors TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_html_parse(twx_ctx *cx, twx_slice bytes, twx_slice charset, const twx_url *url,
                                twx_html *p);
/* Only the text, only the title; *ret is initialised by the caller and cleared here. *ret_found:
 * false: the page has no title. */
TWX_CHECK twx_rc twx_html_text(twx_ctx *cx, twx_slice bytes, twx_slice charset, twx_buf *ret);
TWX_CHECK twx_rc twx_html_title(twx_ctx *cx, twx_slice bytes, twx_slice charset, twx_buf *ret,
                                bool *ret_found);

#endif
