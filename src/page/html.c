#include "page/html.h"

#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>
#include <limits.h>
#include <openssl/evp.h>
#include <string.h>

#include "base/alloc.h"
#include "page/encoding.h"

enum {
    FIELD_BYTES = 1 << 16, /* title, description and so on; longer ones are cut */
    DEPTH_MAX = 2000,      /* deeper pages are read up to there */
    REFRESH_SECONDS = 5,
    TAGS_BYTES = 4096
};

/* What an element does to the text. */
typedef enum effect {
    LINE = 1,   /* begins and ends a line */
    BLANK = 2,  /* parts words */
    HIDDEN = 4, /* what is inside is not text */
    CODE = 8,   /* does not count as layout */
    SVG = 16
} effect;

static const struct {
    const char *name;
    unsigned effects;
} ELEMENTS[] = {
    {"address", LINE},
    {"article", LINE},
    {"aside", LINE},
    {"blockquote", LINE},
    {"body", LINE},
    {"br", LINE},
    {"button", BLANK},
    {"caption", LINE},
    {"center", LINE},
    {"dd", LINE},
    {"details", LINE},
    {"dialog", LINE},
    {"dir", LINE},
    {"div", LINE},
    {"dl", LINE},
    {"dt", LINE},
    {"fieldset", LINE},
    {"figcaption", LINE},
    {"figure", LINE},
    {"footer", LINE},
    {"form", LINE},
    {"h1", LINE},
    {"h2", LINE},
    {"h3", LINE},
    {"h4", LINE},
    {"h5", LINE},
    {"h6", LINE},
    {"head", HIDDEN},
    {"header", LINE},
    {"hr", LINE},
    {"iframe", HIDDEN},
    {"legend", LINE},
    {"li", LINE},
    {"main", LINE},
    {"menu", LINE},
    {"nav", LINE},
    {"noscript", HIDDEN},
    {"ol", LINE},
    {"optgroup", BLANK},
    {"option", BLANK},
    {"p", LINE},
    {"pre", LINE},
    {"script", HIDDEN | CODE},
    {"section", LINE},
    {"select", BLANK},
    {"style", HIDDEN | CODE},
    {"summary", LINE},
    {"svg", SVG},
    {"table", LINE},
    {"tbody", LINE},
    {"td", BLANK},
    {"template", HIDDEN},
    {"textarea", BLANK},
    {"tfoot", LINE},
    {"th", BLANK},
    {"thead", LINE},
    {"title", HIDDEN},
    {"tr", LINE},
    {"ul", LINE},
};

/* What has to stand between what was written and what comes next. */
typedef enum gap { NO_GAP, A_BLANK, A_LINE } gap;

typedef struct reader {
    twx_ctx *cx;
    twx_html *h;
    const twx_url *page;
    twx_url base; /* of relative links */
    bool has_base;
    htmlParserCtxtPtr parser;
    twx_arena scratch, link; /* of the page; of one <a> */
    EVP_MD_CTX *layout;
    char tags[TAGS_BYTES]; /* layout that is not hashed yet */
    size_t tags_n;
    gap gap, title_gap;
    unsigned depth, hidden, svg;
    bool in_body, in_title, full;
    twx_rc rc; /* first error */
} reader;

/* ---- text ------------------------------------------------------------------------------------------- */

static void fail(reader *r, twx_rc rc) {
    if (r->rc == TWX_OK) r->rc = rc;
    xmlStopParser(r->parser);
}

/* Adds up to the buffer's limit; what is beyond is cut, not an error. [R6] */
static void add(reader *r, twx_buf *to, const char *p, size_t n) {
    size_t room = to->max - to->n;
    if (n > room) {
        n = room;
        while (n > 0 && ((unsigned char)p[n] & 0xC0) == 0x80) n--; /* not within a character */
    }
    twx_rc rc = twx_buf_add(r->cx, to, p, n);
    if (rc != TWX_OK) fail(r, rc);
}

static void widen(reader *r, gap g) {
    if (g > r->gap) r->gap = g;
}

/* Length of the white space at p: ASCII, and the no-break space. */
static size_t space_at(const char *p, const char *end) {
    if (twx_is_space((unsigned char)*p)) return 1;
    return end - p >= 2 && (unsigned char)p[0] == 0xC2 && (unsigned char)p[1] == 0xA0 ? 2 : 0;
}

/* [R1] Words with one blank or line feed between them. `gap` carries over from call to call. */
static void add_words(reader *r, twx_buf *to, const char *p, size_t n, gap *between) {
    const char *end = p + n;
    while (p < end && r->rc == TWX_OK) {
        size_t space = space_at(p, end);
        if (space) {
            if (*between == NO_GAP) *between = A_BLANK;
            p += space;
            continue;
        }
        const char *word = p;
        while (p < end && !space_at(p, end)) p++;
        if (*between != NO_GAP && to->n > 0) add(r, to, *between == A_LINE ? "\n" : " ", 1);
        *between = NO_GAP;
        add(r, to, word, (size_t)(p - word));
    }
}

static void on_characters(void *arg, const xmlChar *p, int n) {
    reader *r = arg;
    if (r->in_title) {
        add_words(r, &r->h->title, (const char *)p, (size_t)n, &r->title_gap);
    } else if (r->in_body && r->hidden == 0) {
        add_words(r, &r->h->text, (const char *)p, (size_t)n, &r->gap);
    }
}

/* Contents of script and style. */
static void on_code(void *arg, const xmlChar *p, int n) {
    (void)arg, (void)p, (void)n;
}

/* ---- head ------------------------------------------------------------------------------------------- */

static twx_slice attribute(const xmlChar **attributes, const char *name) {
    for (size_t i = 0; attributes && attributes[i]; i += 2)
        if (strcmp((const char *)attributes[i], name) == 0)
            return attributes[i + 1] ? twx_slice_of((const char *)attributes[i + 1])
                                     : TWX_SLICE_LIT("");
    return (twx_slice){NULL, 0};
}

static bool has_word(twx_slice list, twx_slice word) {
    for (size_t i = 0, end; i < list.n; i = end + 1) {
        for (end = i; end < list.n && !twx_is_space((unsigned char)list.p[end]); end++) continue;
        if (twx_slice_eq_nocase(twx_slice_sub(list, i, end), word)) return true;
    }
    return false;
}

/* [R3] The absolute normal form of a link; false: it has none. */
static bool resolve_in(reader *r, twx_arena *arena, twx_slice reference, twx_slice *ret_url) {
    const twx_url *base = r->has_base ? &r->base : r->page;
    twx_url target;
    reference = twx_slice_trim(reference);
    if (base->fault != TWX_URL_OK || reference.n == 0) return false;
    twx_rc rc = twx_url_resolve(r->cx, arena, NULL, base, reference, &target);
    if (rc != TWX_OK) fail(r, rc);
    if (rc != TWX_OK || target.fault != TWX_URL_OK) return false;
    *ret_url = target.whole;
    return true;
}

static bool resolve(reader *r, twx_slice reference, twx_slice *ret_url) {
    return resolve_in(r, &r->scratch, reference, ret_url);
}

/* [R4] */
static void note_translation(reader *r, twx_slice url) {
    twx_buf *smallest = &r->h->hreflang_group;
    if (smallest->n == 0 && r->page->fault == TWX_URL_OK)
        add(r, smallest, r->page->whole.p, r->page->whole.n);
    if (smallest->n > 0 && twx_slice_cmp(url, twx_buf_slice(smallest)) >= 0) return;
    twx_buf_clear(smallest);
    add(r, smallest, url.p, url.n);
}

static void take_link(reader *r, const xmlChar **attributes) {
    twx_slice rel = attribute(attributes, "rel"), url;
    bool canonical = has_word(rel, TWX_SLICE_LIT("canonical")) && r->h->canonical_url.n == 0;
    bool translation =
        has_word(rel, TWX_SLICE_LIT("alternate")) && attribute(attributes, "hreflang").n > 0;
    if ((!canonical && !translation) || !resolve(r, attribute(attributes, "href"), &url)) return;
    if (canonical) add(r, &r->h->canonical_url, url.p, url.n);
    if (translation) note_translation(r, url);
}

/* "0; url=/elsewhere" */
static void take_refresh(reader *r, twx_slice content) {
    size_t at = 0, seconds = 0;
    twx_slice url;
    content = twx_slice_trim(content);
    for (; at < content.n && twx_is_digit((unsigned char)content.p[at]) && seconds < 1000; at++)
        seconds = seconds * 10 + (size_t)(content.p[at] - '0');
    if (at == 0 || seconds > REFRESH_SECONDS || r->h->redirect_url.n > 0) return;
    while (at < content.n && strchr("0123456789.;, \t\r\n", content.p[at]) && content.p[at]) at++;
    twx_slice target = twx_slice_sub(content, at, content.n);
    if (twx_slice_starts_nocase(target, TWX_SLICE_LIT("url"))) {
        size_t equals = twx_slice_find(target, '=', 0);
        if (equals < target.n) target = twx_slice_trim(twx_slice_sub(target, equals + 1, target.n));
    }
    bool quoted = target.n >= 2 && (target.p[0] == '\'' || target.p[0] == '"') &&
                  target.p[target.n - 1] == target.p[0];
    if (quoted) target = twx_slice_sub(target, 1, target.n - 1);
    if (!resolve(r, target, &url) || twx_slice_eq(url, r->page->whole)) return;
    add(r, &r->h->redirect_url, url.p, url.n);
}

static void take_description(reader *r, twx_slice content) {
    gap none = NO_GAP;
    twx_buf_clear(&r->h->description);
    add_words(r, &r->h->description, content.p ? content.p : "", content.n, &none);
    r->h->has_description = true;
}

static void take_meta(reader *r, const xmlChar **attributes, bool *named_description) {
    twx_slice name = attribute(attributes, "name"), content = attribute(attributes, "content");
    if (twx_slice_eq_nocase(name, TWX_SLICE_LIT("description")) && !*named_description) {
        take_description(r, content);
        *named_description = true;
    } else if (twx_slice_eq_nocase(attribute(attributes, "property"),
                                   TWX_SLICE_LIT("og:description"))) {
        if (!r->h->has_description) take_description(r, content);
    } else if (twx_slice_eq_nocase(name, TWX_SLICE_LIT("robots")) && content.n > 0) {
        if (r->h->robots.n > 0) add(r, &r->h->robots, ", ", 2);
        add(r, &r->h->robots, content.p, content.n);
    } else if (twx_slice_eq_nocase(attribute(attributes, "http-equiv"), TWX_SLICE_LIT("refresh"))) {
        take_refresh(r, content);
    }
}

static void take_base(reader *r, const xmlChar **attributes) {
    twx_slice url;
    if (r->has_base || !resolve(r, attribute(attributes, "href"), &url)) return;
    twx_rc rc = twx_url_normalize(r->cx, &r->scratch, NULL, url, &r->base);
    if (rc != TWX_OK) fail(r, rc);
    r->has_base = rc == TWX_OK && r->base.fault == TWX_URL_OK;
}

/* ---- body ------------------------------------------------------------------------------------------- */

/* [R7] A normal URL holds no line feed. */
static void take_anchor(reader *r, const xmlChar **attributes) {
    twx_buf *links = &r->h->links;
    twx_slice url;
    if (resolve_in(r, &r->link, attribute(attributes, "href"), &url) && !twx_slice_eq(url, r->page->whole) &&
        (twx_slice_starts(url, TWX_SLICE_LIT("http://")) || twx_slice_starts(url, TWX_SLICE_LIT("https://"))) &&
        url.n < links->max - links->n) {
        add(r, links, url.p, url.n);
        add(r, links, "\n", 1);
    }
    twx_arena_reset(&r->link);
}

/* ---- elements --------------------------------------------------------------------------------------- */

static unsigned effects_of(const char *name) {
    size_t low = 0, high = TWX_COUNTOF(ELEMENTS);
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(name, ELEMENTS[middle].name);
        if (order == 0) return ELEMENTS[middle].effects;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

static void hash_tags(reader *r) {
    if (!EVP_DigestUpdate(r->layout, r->tags, r->tags_n))
        fail(r, twx_fail(r->cx, TWX_E_INTERNAL, "SHA-256 failed"));
    r->tags_n = 0;
}

/* [R5] */
static void add_tag(reader *r, const char *opening, const char *name) {
    size_t n = strnlen(name, 64), m = strlen(opening);
    if (r->tags_n + n + m + 1 > TAGS_BYTES) hash_tags(r);
    memcpy(r->tags + r->tags_n, opening, m);
    memcpy(r->tags + r->tags_n + m, name, n);
    r->tags[r->tags_n + m + n] = '>';
    r->tags_n += n + m + 1;
}

typedef struct head_state {
    reader r;
    bool named_description;
} head_state;

static void on_start(void *arg, const xmlChar *element, const xmlChar **attributes) {
    head_state *state = arg;
    reader *r = &state->r;
    const char *name = (const char *)element;
    unsigned effects = effects_of(name);
    if (++r->depth > DEPTH_MAX) xmlStopParser(r->parser);
    if (strcmp(name, "body") == 0) r->in_body = true;
    if (strcmp(name, "html") == 0 && r->h->language.n == 0) {
        twx_slice language = twx_slice_trim(attribute(attributes, "lang"));
        add(r, &r->h->language, language.p ? language.p : "", language.n);
    }
    if (!r->in_body && strcmp(name, "link") == 0) take_link(r, attributes);
    if (!r->in_body && strcmp(name, "meta") == 0)
        take_meta(r, attributes, &state->named_description);
    if (!r->in_body && strcmp(name, "base") == 0) take_base(r, attributes);
    if (r->h->keep_links && r->in_body && r->hidden == 0 && strcmp(name, "a") == 0) take_anchor(r, attributes);
    if (strcmp(name, "title") == 0 && r->svg == 0 && !r->h->has_title)
        r->in_title = r->h->has_title = true;
    r->hidden += (effects & HIDDEN) != 0;
    r->svg += (effects & SVG) != 0;
    if (effects & LINE) widen(r, A_LINE);
    if (effects & BLANK) widen(r, A_BLANK);
    if (r->in_body && !(effects & CODE)) add_tag(r, "<", name);
}

static void on_end(void *arg, const xmlChar *element) {
    reader *r = &((head_state *)arg)->r;
    const char *name = (const char *)element;
    unsigned effects = effects_of(name);
    if (r->depth > 0) r->depth--;
    if (strcmp(name, "title") == 0) r->in_title = false;
    if (effects & HIDDEN && r->hidden > 0) r->hidden--;
    if (effects & SVG && r->svg > 0) r->svg--;
    if (effects & LINE) widen(r, A_LINE);
    if (effects & BLANK) widen(r, A_BLANK);
    if (r->in_body && !(effects & CODE)) add_tag(r, "</", name);
}

static void on_text(void *arg, const xmlChar *p, int n) {
    on_characters(&((head_state *)arg)->r, p, n);
}

/* ---- page ------------------------------------------------------------------------------------------- */

static void each_buffer(twx_html *h, void (*fn)(twx_buf *b)) {
    twx_buf *all[] = {&h->text,          &h->title,        &h->description,    &h->robots,
                      &h->canonical_url, &h->redirect_url, &h->hreflang_group, &h->language, &h->links,
                      &h->headings,      &h->decoded};
    for (size_t i = 0; i < TWX_COUNTOF(all); i++) fn(all[i]);
}

static void init_field(twx_buf *b) {
    twx_buf_init(b, FIELD_BYTES);
}

void twx_html_init(twx_html *h, size_t max_text) {
    memset(h, 0, sizeof *h);
    each_buffer(h, init_field);
    h->text.max = max_text;
    h->links.max = TWX_HTML_LINKS_BYTES;
    h->decoded.max = 4 * max_text;
}

void twx_html_done(twx_html *h) {
    if (h) each_buffer(h, twx_buf_done);
}

static void clear(twx_html *h) {
    each_buffer(h, twx_buf_clear);
    h->layout_digest[0] = '\0';
    h->has_title = h->has_description = false;
}

static twx_rc finish_layout(reader *r) {
    static const char HEX[] = "0123456789abcdef";
    unsigned char digest[EVP_MAX_MD_SIZE];
    hash_tags(r);
    if (r->rc == TWX_OK && !EVP_DigestFinal_ex(r->layout, digest, NULL))
        r->rc = twx_fail(r->cx, TWX_E_INTERNAL, "SHA-256 failed");
    for (size_t i = 0; r->rc == TWX_OK && r->in_body && i < 8; i++) {
        r->h->layout_digest[2 * i] = HEX[digest[i] >> 4];
        r->h->layout_digest[2 * i + 1] = HEX[digest[i] & 15];
    }
    r->h->layout_digest[r->in_body ? 16 : 0] = '\0';
    return r->rc;
}

static void read_page(head_state *state) {
    htmlSAXHandler sax = {.startElement = on_start,
                          .endElement = on_end,
                          .characters = on_text,
                          .ignorableWhitespace = on_text,
                          .cdataBlock = on_code,
                          .initialized = 1};
    htmlParserCtxtPtr parser = state->r.parser;
    htmlCtxtUseOptions(parser, HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                                   HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC);
    *parser->sax = sax;
    parser->userData = state;
    xmlSwitchEncoding(parser, XML_CHAR_ENCODING_UTF8); /* else libxml2 takes bytes beyond ASCII for Latin-1 */
    htmlParseDocument(parser);
}

/* libxml2 takes a NUL for the end of the page: blanks stand in for them. *ret_copy: to be freed. */
static twx_rc without_nul(twx_ctx *cx, twx_slice page, twx_slice *ret_page, char **ret_copy) {
    *ret_page = page;
    *ret_copy = NULL;
    if (!memchr(page.p, '\0', page.n)) return TWX_OK;
    char *copy = twx_strndup(cx, page.p, page.n);
    if (!copy) return TWX_E_NOMEM;
    for (size_t i = 0; i < page.n; i++)
        if (copy[i] == '\0') copy[i] = ' ';
    *ret_copy = copy;
    *ret_page = (twx_slice){copy, page.n};
    return TWX_OK;
}

static twx_rc read_utf8(twx_ctx *cx, twx_slice page, const twx_url *url, twx_html *h) {
    head_state state = {.r = {.cx = cx, .h = h, .page = url}};
    char *copy = NULL;
    if (page.n == 0) return TWX_OK;
    if (page.n > INT_MAX)
        return twx_fail(cx, TWX_E_LIMIT, "a page of %zu bytes is too long", page.n);
    twx_rc rc = without_nul(cx, page, &page, &copy);
    twx_arena_init(&state.r.scratch, 1 << 16);
    twx_arena_init(&state.r.link, 1 << 12);
    state.r.layout = EVP_MD_CTX_new();
    state.r.parser = rc == TWX_OK ? htmlCreateMemoryParserCtxt(page.p, (int)page.n) : NULL;
    if (rc == TWX_OK && (!state.r.parser || !state.r.layout ||
                         !EVP_DigestInit_ex(state.r.layout, EVP_sha256(), NULL)))
        rc = twx_fail(cx, TWX_E_NOMEM, "out of memory for an HTML page");
    if (rc == TWX_OK) {
        read_page(&state);
        rc = finish_layout(&state.r);
    }
    if (state.r.parser && state.r.parser->myDoc) xmlFreeDoc(state.r.parser->myDoc);
    htmlFreeParserCtxt(state.r.parser);
    EVP_MD_CTX_free(state.r.layout);
    twx_arena_done(&state.r.scratch);
    twx_arena_done(&state.r.link);
    twx_free(copy);
    return rc;
}

twx_rc twx_html_parse(twx_ctx *cx, twx_slice bytes, twx_slice charset, const twx_url *url, twx_html *p) {
    static const twx_url NONE = {.fault = TWX_URL_EMPTY};
    twx_decoded decoded;
    clear(p);
    twx_rc rc = twx_decode(cx, bytes, charset, true, &p->decoded, &decoded);
    if (rc != TWX_OK) return rc;
    p->encoding = decoded.encoding;
    return read_utf8(cx, decoded.text, url ? url : &NONE, p);
}

/* The page's buffer trades places with the caller's. */
static void hand_over(twx_buf *from, twx_buf *ret) {
    const size_t max = ret->max;
    twx_buf_done(ret);
    *ret = *from;
    ret->max = max;
    *from = (twx_buf){0};
}

twx_rc twx_html_text(twx_ctx *cx, twx_slice bytes, twx_slice charset, twx_buf *ret) {
    twx_html p;
    twx_html_init(&p, ret->max);
    twx_rc rc = twx_html_parse(cx, bytes, charset, NULL, &p);
    if (rc == TWX_OK) hand_over(&p.text, ret);
    twx_html_done(&p);
    return rc;
}

twx_rc twx_html_title(twx_ctx *cx, twx_slice bytes, twx_slice charset, twx_buf *ret, bool *ret_found) {
    twx_html p;
    twx_html_init(&p, ret->max);
    twx_rc rc = twx_html_parse(cx, bytes, charset, NULL, &p);
    if (rc == TWX_OK) {
        hand_over(&p.title, ret);
        *ret_found = p.has_title;
    }
    twx_html_done(&p);
    return rc;
}
