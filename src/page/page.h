/* page/page.h: the bytes of a page into text, and what the page says about itself. */
#ifndef TWX_PAGE_PAGE_H
#define TWX_PAGE_PAGE_H

#include "url/url.h"

/* document_types.c: the content types that are documents (setting import.types).
 * [R1] A list of html, xhtml, plain, markdown, or MIME types ("text/csv"; a star at the end matches
 * anything), separated by white space, commas or bars.
 * [R2] A response without a type, or with a meaningless one (unknown/unknown, application/unknown,
 * or a wildcard), is a document if its body begins like HTML, as in browsers (WHATWG MIME Sniffing,
 * section 7). */

#define TWX_DOCUMENT_TYPES "html xhtml plain markdown"

typedef enum twx_document_type { TWX_TYPE_OTHER, TWX_TYPE_HTML, TWX_TYPE_PLAIN } twx_document_type;

/* Errors TWX_E_CONFIG, naming the invalid word. */
TWX_CHECK twx_rc twx_document_types_check(twx_ctx *cx, const char *types);
/* types: a list that has been checked. type: as the server sent it; absent: none. body: at least
 * its beginning. */
twx_document_type twx_document_type_of(const char *types, twx_slice type, twx_slice body);
/* Whether the text begins with an HTML tag, comment or doctype. */
bool twx_looks_like_html(twx_slice text);
/* "text/html" of "text/html; charset=utf-8" and "text/html,text/html". */
twx_slice twx_media_type(twx_slice content_type);

/* encoding.c: the character encoding of crawled bytes, as the WHATWG Encoding and HTML
 * standards decide it.
 * [R1] In order: byte order mark, charset of the HTTP header, meta element in the first 1024 bytes
 * (HTML only), UTF-8 when the bytes are valid UTF-8, else windows-1252. An unknown label counts as
 * none.
 * [R2] All labels of the standard, and its decoders: the result equals that of a browser's
 * TextDecoder.
 * [R3] The result is valid UTF-8 without a byte order mark; what cannot be decoded becomes U+FFFD.
 * Linear time. */

typedef struct twx_decoded {
    /* UTF-8: the input itself if it is valid UTF-8, else the content of `room` */
    twx_slice text;
    const char *encoding; /* name in the standard: "UTF-8", "windows-1252", "Shift_JIS"; static */
    /* given by a byte order mark, the header or a meta element in the first 1024 bytes; otherwise a
     * guess */
    bool certain;
} twx_decoded;

/* charset: the label of the HTTP header or of the caller; absent: none. html: look for a meta
 * element. room: initialised by the caller, cleared here; four times the input length is always
 * enough. Errors TWX_E_NOMEM, TWX_E_LIMIT (room). */
TWX_CHECK twx_rc twx_decode(twx_ctx *cx, twx_slice bytes, twx_slice charset, bool html,
                            twx_buf *room, twx_decoded *ret);
/* The name of the encoding for a label; NULL: the standard does not define the label. */
const char *twx_encoding_name(twx_slice label);
/* The same for the label of a meta element, which cannot select UTF-16 (the element could not have
 * been read) or x-user-defined. */
const char *twx_meta_encoding(twx_slice label);

/* text_parts (shown.c): parts of a text, such as its content area, as a list of places: "12-340
 * 400-900" are the bytes from 12 to before 340 and those from 400 to before 900. An import stores
 * this list (documents.main_parts) and not a second copy of the text.
 * [R1] A list is valid for a text if its parts are not empty, ascend without touching, begin and
 * end between characters, and lie within the text. */

enum { TWX_TEXT_PARTS_MAX = 256, TWX_TEXT_PARTS_BYTES = 1 << 13 };

/* Appends the parts of a text, one a line. TWX_DONE: the list is not valid for the text, or the
 * parts do not fit; out is then unchanged. Errors TWX_E_NOMEM */
TWX_CHECK twx_rc twx_text_parts(twx_ctx *cx, twx_slice text, twx_slice parts, twx_buf *out);

/* html.c: extracts from an HTML page what a search index keeps, following the WHATWG
 * standards, in one pass and linear time.
  * [R1] The text is what a browser shows of the body with scripts disabled, as lines of words
  * (page/shown.c). docs/imported-text.md has the rules. The content of noscript is omitted by
  * design.
 * [R2] Title: the browser's document.title, that is the first HTML <title> in the document with
 * ASCII white space stripped and collapsed. Description: meta name=description, otherwise
 * property=og:description. Robots: all meta name=robots, joined by ", ". Headings: the visible text
 * of every <h1>, one per line.
 * [R3] Links are absolute and normalized (url_norm), resolved against <base href> or the page:
 * the canonical link and the target of a meta refresh (redirect; only if the delay is at most 5 s
 * and the URL is not the page's own). Metadata counts only in the head, outside of noscript and
 * template.
 * [R4] hreflang_group: the smallest in byte order of the page's own URL and the URLs of its <link
 * rel=alternate hreflang>; absent if it has no such links.
 * [R5] layout_digest: the first 16 hex digits of the SHA-256 of the body's elements in order:
 * "<name>" where tree construction opens an element, "</name>" where it closes one. Text,
 * attributes, comments, script and style do not count.
 * [R6] Bounded: at most max_text bytes of text and TWX_HTML_LINKS_BYTES of links are kept;
 * html_tree bounds the work.
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
 * [R10] If the page shows a password field and its text has at most 2048 bytes, a last line has
 * what fields and buttons show in themselves: placeholders and values.
 * Memory: embedded struct with owned buffers, reused from page to page. */

enum { TWX_HTML_LINKS_BYTES = 1 << 20, TWX_HTML_NAMES_BYTES = 1 << 12 };

typedef struct twx_html_room twx_html_room;

typedef struct twx_html {
    twx_buf text, title, description, robots, canonical_url, redirect_url, hreflang_group, language;
    twx_buf links;   /* each ends with a line feed; only filled if keep_links is set */
    bool keep_links; /* set by the caller after twx_html_init() */
    twx_buf headings, names;
    twx_buf parts;          /* the parts of the text that are the content area; empty: all of it */
    const char *encoding;   /* as decided by page/encoding.c; static */
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

/* looks_like (document_types.c): guesses what kind of content the bytes of a stored value are,
 * for suggestions and warnings. The guess never affects how a value is read. */

typedef enum twx_content {
    TWX_CONTENT_EMPTY,
    TWX_CONTENT_PLAIN,
    TWX_CONTENT_URL,    /* an http or https URL and nothing else */
    TWX_CONTENT_HTML,   /* markup of a page or a fragment */
    TWX_CONTENT_JSON,   /* an object or array */
    TWX_CONTENT_HEX,    /* 16 to 128 hex digits: a digest */
    TWX_CONTENT_PACKED, /* gzip, zlib or zstd, recognized by the first bytes */
    TWX_CONTENT_BINARY, /* contains NUL bytes */
    TWX_CONTENTS
} twx_content;

/* Examines at most the first 64 KiB. */
twx_content twx_looks_like(twx_slice bytes);

/* page_values.c: the SQL functions that extract document fields from fetched pages, independent of
  * SQLite. They are bound by the reader of a store (store/db.c) and by the extension
  * (ext/ext_functions.c), under the same names and with the same results. What they take from an
  * HTML page is what an import takes from it.
 * [R1] The result depends only on the arguments.
 * [R2] For any input the result is a value or none: crawled bytes never make a statement fail.
 * [R3] A result has at most out->max bytes: text is truncated there; a value that decompresses to
 * more, or a longer URL, gives no result.
 * [R4] Consecutive calls for the same page parse it once, and decompress it once. */

enum { TWX_PAGE_ARGUMENTS_MAX = 2, TWX_PAGE_FUNCTIONS_MAX = 16 };

/* A text is UTF-8; the encoding of a blob is detected as for a fetched page. */
typedef struct twx_page_argument {
    twx_slice bytes;
    bool blob;
} twx_page_argument;

typedef enum twx_page_kind { TWX_PAGE_NONE, TWX_PAGE_TEXT, TWX_PAGE_BLOB } twx_page_kind;

/* The page that was parsed last [R4].
 * Memory: owned handle, NULL at first; one thread at a time. */
typedef struct twx_page_memo twx_page_memo;
void twx_page_memo_close(twx_page_memo *memo);

typedef struct twx_page_call {
    twx_page_memo **memo;
    const twx_page_argument *arguments;
    size_t n; /* arguments */
} twx_page_call;

typedef struct twx_page_function twx_page_function;
struct twx_page_function {
    const char *name;
    size_t least, most; /* arguments */
    /* out: initialised by the caller, empty; *ret_kind: by the caller, too, as TWX_PAGE_NONE.
     * Errors TWX_E_NOMEM. */
    twx_rc (*call)(twx_ctx *cx, const twx_page_function *f, const twx_page_call *call, twx_buf *out,
                   twx_page_kind *ret_kind);
    size_t field; /* of page_values.c */
    bool whole;   /* the result is never cut */
};

/* The functions by index; NULL after the last. */
const twx_page_function *twx_page_function_at(size_t i);
/* By name, ignoring case; NULL: there is none. */
const twx_page_function *twx_page_function_find(const char *name);

/* unpack.c: decompresses gzip (with any number of members), zlib and raw deflate, brotli, zstd.
 * [R1] The coding is given by the caller or, with TWX_CODING_ANY, detected from the content: gzip
 * and zstd by their magic numbers, zlib by its header and a stream that decodes. Brotli has no
 * magic number, so it is tried last and counts only if all bytes form one stream.
 * [R2] The output has at most out->max bytes; memory stays below twice that (plus 8 MiB for the
 * window of zstd).
 * Memory: `out` is initialised by the caller (twx_buf_init); the result is appended to it. */

typedef enum twx_coding {
    TWX_CODING_ANY,
    TWX_CODING_GZIP,
    TWX_CODING_DEFLATE, /* zlib, or raw deflate as some servers send it */
    TWX_CODING_BROTLI,
    TWX_CODING_ZSTD
} twx_coding;

typedef enum twx_unpacked {
    TWX_UNPACKED,
    TWX_UNPACK_NONE,    /* not compressed with (any) such coding; `out` is unchanged */
    TWX_UNPACK_DAMAGED, /* truncated or damaged: `out` has what was decompressed before */
    TWX_UNPACK_TOO_LONG /* larger than out->max: `out` has the beginning */
} twx_unpacked;

/* The coding of a Content-Encoding value: gzip, x-gzip, deflate, br or zstd, in any case. false:
 * another coding. */
bool twx_coding_of(twx_slice name, twx_coding *ret_coding);
/* packed is borrowed. Errors TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_unpack(twx_ctx *cx, twx_slice packed, twx_coding coding, twx_buf *out,
                            twx_unpacked *ret_how);

#endif
