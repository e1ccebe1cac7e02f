/* page/html.h: extracts from an HTML page what a search index keeps, following the WHATWG
 * standards, in one pass and linear time.
 * [R1] The text is what a browser shows of the body with scripts disabled, as lines of words
 * (page/flow.h). docs/imported-text.md has the rules. The content of noscript is omitted by design.
 * [R2] Title: the browser's document.title, that is the first HTML <title> in the document with
 * ASCII white space stripped and collapsed. Description: meta name=description, otherwise
 * property=og:description. Robots: all meta name=robots, joined by ", ". Headings: the visible text
 * of every <h1>, one per line.
 * [R3] Links are absolute and normalized (url_norm.h), resolved against <base href> or the page:
 * the canonical link and the target of a meta refresh (redirect; only if the delay is at most 5 s
 * and the URL is not the page's own). Metadata counts only in the head, outside of noscript and
 * template.
 * [R4] hreflang_group: the smallest in byte order of the page's own URL and the URLs of its <link
 * rel=alternate hreflang>; absent if it has no such links.
 * [R5] layout_digest: the first 16 hex digits of the SHA-256 of the body's elements in order:
 * "<name>" where tree construction opens an element, "</name>" where it closes one. Text,
 * attributes, comments, script and style do not count.
 * [R6] Bounded: at most max_text bytes of text and TWX_HTML_LINKS_BYTES of links are kept;
 * html_tree.h bounds the work.
 * [R7] Links: the href of each <a> in the body that leads to another page by http or https,
 * resolved as in [R3]. Links beyond the limit and links in hidden elements are omitted.
 * [R8] Names: what the page calls its things outside of the text, one per line, each once, in page
 * order, white space collapsed, at most TWX_HTML_NAMES_BYTES: alt of <img>, <area> and <input
 * type=image>; content of meta og:title and og:image:alt; the values of name, headline, sku,
 * gtin..., mpn and identifier in JSON-LD and as content of an itemprop. An element counts whether
 * it is shown or not, unless it is in a template.
 * [R9] Content area: the shown text of main elements; without any, of article elements; without
 * any, of the body. Text in nav, aside, or a header or footer of the page is outside of it; if
 * nothing else is shown, the whole text is the content area. A header or footer in article,
 * section or main is part of these. The roles main, article, navigation, complementary, banner,
 * contentinfo and search count like the elements, and override them.
 * Memory: embedded struct with owned buffers, reused from page to page. */
#ifndef TWX_PAGE_HTML_H
#define TWX_PAGE_HTML_H

#include "base/buf.h"
#include "page/text_parts.h"
#include "url/url_norm.h"

enum { TWX_HTML_VERSION = 3, TWX_HTML_LINKS_BYTES = 1 << 20, TWX_HTML_NAMES_BYTES = 1 << 12 };

typedef struct twx_html_room twx_html_room;

typedef struct twx_html {
    twx_buf text, title, description, robots, canonical_url, redirect_url, hreflang_group, language;
    twx_buf links;   /* each ends with a line feed; only filled if keep_links is set */
    bool keep_links; /* set by the caller after twx_html_init() */
    twx_buf headings, names;
    twx_buf parts;          /* the parts of the text that are the content area; empty: all of it */
    const char *encoding;   /* as decided by page/encoding.h; static */
    char layout_digest[17]; /* with NUL; "" when the page has no body */
    /* an empty title differs from a missing one */
    bool has_title, has_description;
    twx_html_room *room; /* working memory, kept for the next page */
} twx_html;

void twx_html_init(twx_html *p, size_t max_text);
void twx_html_done(twx_html *p);
/* bytes: the page in any encoding. charset: from the HTTP header, absent: none; "utf-8" for text
 * from a database. url: the normalized URL of the page; NULL: unknown, so no link is resolved and
 * the fields made of links stay empty. Input that is not HTML gives what a browser makes of it.
 * Errors TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_html_parse(twx_ctx *cx, twx_slice bytes, twx_slice charset, const twx_url *url,
                                twx_html *p);
/* Sets the fields made of links of the head, canonical_url, redirect_url and hreflang_group, of the
 * page that was parsed last and whose bytes are still there, for another URL of it. NULL: unknown,
 * so only absolute links count. Errors TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_html_links(twx_ctx *cx, twx_html *p, const twx_url *url);
/* Only the text. *ret is initialised by the caller and cleared here. */
TWX_CHECK twx_rc twx_html_text(twx_ctx *cx, twx_slice bytes, twx_slice charset, twx_buf *ret);

#endif
