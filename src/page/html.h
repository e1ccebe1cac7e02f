/* page/html.h: what a search index keeps of an HTML page. libxml2's SAX parser: no DOM, no network, no recursion that a page can deepen.
 * [R1] Text is what a reader sees in the body: block elements begin a new line, runs of white space are one blank, empty lines
 * are dropped; script, style, template, noscript, head, comments are not text. [R2] Title: the first <title> of the head (not of an
 * embedded SVG), white space collapsed. Description: meta name=description, else property=og:description. Robots: all meta
 * name=robots joined by ", ". [R3] Links are absolute and in normal form (url_norm.h), resolved against <base href> or the page: canonical,
 * meta refresh with a URL (redirect, only with a delay of at most 5 s and another URL than the page's).
 * [R4] hreflang_group: the smallest in byte order of the page's own URL and those of its <link
 * rel=alternate hreflang>; absent when it has none.
 * [R5] layout_digest: first 16 hex digits of SHA-256 over the body's tags in order: "<name>" for a start, "</name>" for an end,
 * as libxml2 reports them (void and implied ones included); text, attributes, comments, script and style do not count.
 * [R6] Bounded: at most max_text bytes of text and TWX_HTML_LINKS_BYTES of links are kept; nesting is capped by the parser.
 * [R7] Links: the href of each <a> of the body that leads to another page by http or https, as [R3] says; those behind the limit are
 * left out.
 * Memory: embedded struct with owned buffers, reused from page to page. */
#ifndef TWX_PAGE_HTML_H
#define TWX_PAGE_HTML_H

#include "base/buf.h"
#include "url/url_norm.h"

enum { TWX_HTML_VERSION = 1, TWX_HTML_LINKS_BYTES = 1 << 20 };

typedef struct twx_html {
    twx_buf text, title, description, robots, canonical_url, redirect_url, hreflang_group, language;
    twx_buf links;   /* each with a line feed behind it; filled when keep_links is set */
    bool keep_links; /* set by the caller after twx_html_init() */
    twx_buf headings;        /* the text of all <h1>, one a line */
    const char *encoding;    /* that was decided: page/encoding.h; static */
    twx_buf decoded;         /* room */
    char layout_digest[17]; /* with NUL; "" when the page has no body */
    /* which of them the page has: an empty title differs from none */
    bool has_title, has_description;
} twx_html;

void twx_html_init(twx_html *p, size_t max_text);
void twx_html_done(twx_html *p);
/* bytes: as they came, in any encoding. charset: of the HTTP header, absent: none; text of a database: "utf-8".
 * url: of the page, in normal form; NULL: unknown, then no link is resolved and the fields made of links stay empty.
 * A page that is no HTML gives what a browser makes of it. Errors TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_html_parse(twx_ctx *cx, twx_slice bytes, twx_slice charset, const twx_url *url, twx_html *p);
/* Only the text, only the title; *ret is initialised by the caller and cleared here. *ret_found: false: the page has no title. */
TWX_CHECK twx_rc twx_html_text(twx_ctx *cx, twx_slice bytes, twx_slice charset, twx_buf *ret);
TWX_CHECK twx_rc twx_html_title(twx_ctx *cx, twx_slice bytes, twx_slice charset, twx_buf *ret, bool *ret_found);

#endif
