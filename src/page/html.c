#include <openssl/evp.h>

#include "page/internal.h"

enum {
    TWX_FIELD_BYTES = 1 << 16, /* longer titles, descriptions and so on are truncated */
    TWX_JSON_BYTES = 1 << 18   /* of a JSON-LD block; the rest is ignored */
};

enum { NAME_BYTES = 64 /* maximum length of an element's name in the layout */ };

/* An open or closed table: content that is moved before it goes here. */
typedef struct twx_table_place {
    uint32_t cursor;
    bool shown;
} twx_table_place;

static twx_rc hash_tags(twx_html_reader *r) {
    if (!EVP_DigestUpdate(r->layout, r->tags, r->tags_n))
        return twx_openssl_failed(r->cx, TWX_E_NOMEM, "OpenSSL cannot compute SHA-256");
    r->tags_n = 0;
    return TWX_OK;
}

/* [R5] */
static twx_rc add_tag(twx_html_reader *r, const twx_open *e, bool close) {
    const size_t n = e->name.n < NAME_BYTES ? e->name.n : NAME_BYTES;
    if (!r->in_body || e->tag == TWX_TAG_script || e->tag == TWX_TAG_style) return TWX_OK;
    if (r->tags_n + n + 3 > sizeof r->tags) {
        const twx_rc rc = hash_tags(r);
        if (rc != TWX_OK) return rc;
    }
    char *to = r->tags + r->tags_n;
    *to++ = '<';
    if (close) *to++ = '/';
    for (size_t i = 0; i < n; i++) *to++ = twx_lower(e->name.p[i]);
    *to++ = '>';
    r->tags_n = (size_t)(to - r->tags);
    return TWX_OK;
}

static twx_rc finish_layout(twx_html_reader *r) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    if (!r->in_body) return TWX_OK;
    const twx_rc rc = hash_tags(r);
    if (rc != TWX_OK) return rc;
    if (!EVP_DigestFinal_ex(r->layout, digest, NULL))
        return twx_openssl_failed(r->cx, TWX_E_NOMEM, "OpenSSL cannot compute SHA-256");
    snprintf(r->h->layout_digest, sizeof r->h->layout_digest, "%016" PRIx64, twx_load_be64(digest));
    return TWX_OK;
}

static twx_rc piece(twx_html_reader *r, twx_piece_kind kind) {
    return twx_flow_add(r->cx, &r->room->flow, kind);
}

/* Adds the separator between an element and the text around it. */
static twx_rc separate(twx_html_reader *r, const twx_open *e) {
    if (e->hides || e->visibility == TWX_INVISIBLE) return TWX_OK;
    /* innerText treats p as a paragraph whatever its display value */
    if (e->style.display == TWX_BLOCK || e->tag == TWX_TAG_select || e->tag == TWX_TAG_p)
        return piece(r, TWX_PIECE_LINE);
    return e->style.display == TWX_CELL ? piece(r, TWX_PIECE_BLANK) : TWX_OK;
}

/* Content that is moved before the table is inserted before this piece. */
static twx_rc open_table(twx_html_reader *r, const twx_open *parent, twx_open *e) {
    const twx_table_place place = {.cursor = r->room->flow.cursor,
                                   .shown = !parent || twx_shown_text(parent)};
    e->table = (uint32_t)r->room->tables.n;
    if (!TWX_VEC_PUSH(r->cx, &r->room->tables, place)) return TWX_E_NOMEM;
    return piece(r, TWX_PIECE_TABLE);
}

/* Records what the selectors of style sheets ask about the element. */
static void describe(const twx_html_reader *r, const twx_html_token *token, twx_open *e) {
    const twx_tokenizer *t = &r->room->tokenizer;
    e->as = (twx_subject){.name = e->name};
    if (!token) return;
    e->as.classes = twx_attribute_raw(t, TWX_ATTR_class);
    e->as.id = twx_attribute_raw(t, TWX_ATTR_id);
    e->as.source = token->source;
}

static bool is_style(const twx_open *e) {
    return e->tag == TWX_TAG_style || (e->ns == TWX_SVG && e->foreign == TWX_TAG_style);
}

static twx_rc on_open(void *arg, twx_open *parent, twx_open *e, const twx_html_token *token) {
    twx_html_reader *r = arg;
    twx_rc rc = TWX_OK;
    /* a formatting element keeps its style when it is reopened */
    const bool again = !token && e->as.name.p;
    if (!again && (!r->in_body || r->room->sheet.selectors.n > 0)) describe(r, token, e);
    if (token) twx_shown_style(r->room, parent, e);
    if (!token && !again) twx_shown_implied(r->room, parent, e);
    twx_shown_open(parent, e, token, &r->room->tokenizer);
    if (e->tag == TWX_TAG_body || e->tag == TWX_TAG_frameset) r->in_body = true;
    if (e->tag == TWX_TAG_html && token) rc = twx_head_language(r);
    if (e->tag == TWX_TAG_title && !r->h->has_title && !e->fragment)
        r->in_title = r->h->has_title = true;
    if (is_style(e) && !e->inert && !r->room->sheet.second)
        r->in_style = twx_media_matches(twx_attribute_raw(&r->room->tokenizer, TWX_ATTR_media));
    if (rc == TWX_OK && token) rc = twx_head_element(r, parent, e);
    if (rc == TWX_OK && token) rc = twx_names_element(r, e);
    if (rc == TWX_OK && token && e->tag == TWX_TAG_input && r->in_body && twx_shown_text(e))
        rc = twx_field_element(r, token);
    if (rc == TWX_OK && token && r->h->keep_links && e->tag == TWX_TAG_a && r->in_body && !e->hides)
        rc = twx_head_anchor(r);
    if (rc == TWX_OK) rc = add_tag(r, e, false);
    if (rc == TWX_OK) rc = e->tag == TWX_TAG_table ? open_table(r, parent, e) : separate(r, e);
    if (rc == TWX_OK && e->tag == TWX_TAG_h1 && !e->hides) rc = piece(r, TWX_PIECE_HEADING);
    return rc;
}

static twx_rc on_close(void *arg, twx_open *e) {
    twx_html_reader *r = arg;
    twx_rc rc = add_tag(r, e, true);
    if (e->tag == TWX_TAG_title) r->in_title = false;
    if (is_style(e) && r->in_style && rc == TWX_OK) {
        twx_sheet *sheet = &r->room->sheet;
        const size_t before = sheet->selectors.n;
        r->in_style = false;
        sheet->quirks = r->room->tree.quirks;
        rc = twx_sheet_read(r->cx, sheet);
        if (r->in_body && sheet->selectors.n > before) sheet->again = true;
    }
    if (e->tag == TWX_TAG_script && r->in_json && rc == TWX_OK) rc = twx_names_script(r);
    if (rc == TWX_OK && e->tag == TWX_TAG_h1 && !e->hides) rc = piece(r, TWX_PIECE_HEADING_END);
    if (rc == TWX_OK) rc = separate(r, e);
    if (e->fostered.is) {
        r->room->tables.at[e->fostered.table].cursor = r->room->flow.cursor;
        r->room->flow.cursor = e->fostered.resume;
    }
    return rc;
}

static void on_foster(void *arg, twx_open *table, twx_open *e) {
    twx_html_reader *r = arg;
    e->fostered.table = table->table;
    e->fostered.resume = r->room->flow.cursor;
    r->room->flow.cursor = r->room->tables.at[table->table].cursor;
}

static twx_rc add_text(twx_html_reader *r, const twx_open *e, twx_slice text) {
    if (e->flags & TWX_EL_PRE && memchr(text.p, '\n', text.n)) {
        const twx_rc rc = piece(r, TWX_PIECE_PRE);
        if (rc != TWX_OK) return rc;
    }
    r->room->flow.area = (twx_area)e->area;
    return twx_flow_text(r->cx, &r->room->flow, text, text.p == r->room->tokenizer.reference);
}

static void on_moved(void *arg, twx_open *parent, twx_open *e) {
    (void)arg;
    twx_shown_moved(parent, e);
}

static twx_rc on_text_without_nul(twx_html_reader *r, twx_open *current, twx_open *table,
                                  twx_slice text) {
    if (r->in_style && is_style(current))
        return twx_buf_add_slice(r->cx, &r->room->sheet.css, text);
    if (r->in_json) return twx_add_cut(r->cx, &r->room->json, text);
    if (r->in_title)
        return current->tag == TWX_TAG_title ? twx_add_cut(r->cx, &r->room->title, text) : TWX_OK;
    if (!r->in_body) return TWX_OK;
    if (!table) return twx_shown_text(current) ? add_text(r, current, text) : TWX_OK;
    twx_table_place *place = &r->room->tables.at[table->table];
    if (!place->shown) return TWX_OK;
    const uint32_t resume = r->room->flow.cursor;
    r->room->flow.cursor = place->cursor;
    const twx_rc rc = add_text(r, current, text);
    r->room->tables.at[table->table].cursor = r->room->flow.cursor;
    r->room->flow.cursor = resume;
    return rc;
}

/* Each remaining NUL byte becomes U+FFFD, as the standard requires. */
static twx_rc on_text(void *arg, twx_open *current, twx_open *table, twx_slice text) {
    twx_rc rc = TWX_OK;
    for (size_t at = 0, end; rc == TWX_OK && at < text.n; at = end + 1) {
        end = twx_slice_find(text, '\0', at);
        if (end > at) rc = on_text_without_nul(arg, current, table, twx_slice_sub(text, at, end));
        if (rc == TWX_OK && end < text.n)
            rc = on_text_without_nul(arg, current, table, TWX_SLICE_LIT("\xEF\xBF\xBD"));
    }
    return rc;
}

static twx_rc on_more_attributes(void *arg, twx_open *e) {
    return e->tag == TWX_TAG_html ? twx_head_language(arg) : TWX_OK;
}

static void each_buffer(twx_html *h, void (*fn)(twx_buf *b)) {
    twx_buf *all[] = {&h->text,          &h->title,        &h->description,    &h->robots,
                      &h->canonical_url, &h->redirect_url, &h->hreflang_group, &h->language,
                      &h->links,         &h->headings,     &h->names,          &h->parts};
    for (size_t i = 0; i < TWX_COUNTOF(all); i++) fn(all[i]);
}

static void init_field(twx_buf *b) {
    twx_buf_init(b, TWX_FIELD_BYTES);
}

void twx_html_init(twx_html *h, size_t max_text) {
    memset(h, 0, sizeof *h);
    each_buffer(h, init_field);
    h->text.max = max_text;
    h->links.max = TWX_HTML_LINKS_BYTES;
    h->names.max = TWX_HTML_NAMES_BYTES;
    h->parts.max = TWX_TEXT_PARTS_BYTES;
}

static twx_rc make_room(twx_ctx *cx, twx_html *h) {
    if (h->room) return TWX_OK;
    h->room = twx_calloc(cx, 1, sizeof *h->room);
    if (!h->room) return TWX_E_NOMEM;
    twx_buf_init(&h->room->decoded, SIZE_MAX - 1);
    twx_buf_init(&h->room->lines, SIZE_MAX - 1);
    twx_buf_init(&h->room->title, TWX_FIELD_BYTES);
    twx_buf_init(&h->room->json, TWX_JSON_BYTES);
    twx_buf_init(&h->room->name, TWX_HTML_NAMES_BYTES);
    twx_buf_init(&h->room->fields, TWX_FIELD_BYTES);
    twx_arena_init(&h->room->scratch, 1 << 16);
    twx_arena_init(&h->room->link, 1 << 12);
    twx_arena_init(&h->room->base, 1 << 12);
    return TWX_OK;
}

void twx_html_done(twx_html *h) {
    if (!h) return;
    each_buffer(h, twx_buf_done);
    if (!h->room) return;
    twx_tokenizer_done(&h->room->tokenizer);
    twx_tree_done(&h->room->tree);
    twx_flow_done(&h->room->flow);
    TWX_VEC_DONE(&h->room->tables);
    TWX_VEC_DONE(&h->room->references);
    twx_buf_done(&h->room->decoded);
    twx_buf_done(&h->room->lines);
    twx_buf_done(&h->room->title);
    twx_buf_done(&h->room->json);
    twx_buf_done(&h->room->name);
    twx_buf_done(&h->room->fields);
    twx_sheet_done(&h->room->sheet);
    twx_arena_done(&h->room->scratch);
    twx_arena_done(&h->room->link);
    twx_arena_done(&h->room->base);
    twx_free(h->room);
    h->room = NULL;
}

static twx_rc clear(twx_ctx *cx, twx_html *h) {
    each_buffer(h, twx_buf_clear);
    h->layout_digest[0] = '\0';
    h->has_title = h->has_description = false;
    const twx_rc rc = make_room(cx, h);
    if (rc != TWX_OK) return rc;
    h->room->tables.n = h->room->references.n = 0;
    twx_buf_clear(&h->room->title);
    twx_buf_clear(&h->room->json);
    twx_buf_clear(&h->room->fields);
    twx_arena_reset(&h->room->scratch);
    return twx_flow_clear(cx, &h->room->flow);
}

/* A line ends with LF: CR LF and CR become one (HTML standard, section 13.2.3.5). */
static twx_rc normalize_lines(twx_ctx *cx, twx_slice page, twx_buf *room, twx_slice *ret_page) {
    const char *p = page.p, *end = page.p + page.n, *cr = page.n ? memchr(p, '\r', page.n) : NULL;
    *ret_page = page;
    if (!cr) return TWX_OK;
    twx_buf_clear(room);
    const twx_rc rc = twx_buf_reserve(cx, room, page.n);
    if (rc != TWX_OK) return rc;
    char *to = room->p;
    while (cr) {
        memcpy(to, p, (size_t)(cr - p));
        to += cr - p;
        *to++ = '\n';
        p = cr + 1 + (cr + 1 < end && cr[1] == '\n');
        cr = p < end ? memchr(p, '\r', (size_t)(end - p)) : NULL;
    }
    memcpy(to, p, (size_t)(end - p));
    *ret_page = (twx_slice){room->p, (size_t)(to - room->p) + (size_t)(end - p)};
    return TWX_OK;
}

static twx_rc read_tree(twx_html_reader *r, twx_slice page) {
    const twx_tree_sink sink = {.arg = r,
                                .open = on_open,
                                .close = on_close,
                                .text = on_text,
                                .more_attributes = on_more_attributes,
                                .moved = on_moved,
                                .foster = on_foster};
    twx_html_room *room = r->room;
    twx_rc rc = TWX_OK;
    r->layout = EVP_MD_CTX_new();
    if (!r->layout || !EVP_DigestInit_ex(r->layout, EVP_sha256(), NULL))
        rc = twx_openssl_failed(r->cx, TWX_E_CONFIG, "OpenSSL provides no SHA-256");
    if (rc == TWX_OK) {
        twx_tokenizer_open(&room->tokenizer, r->cx, page);
        rc = twx_tree_read(r->cx, &room->tree, &room->tokenizer, &sink);
    }
    if (rc == TWX_OK && !room->sheet.again) {
        rc = twx_flow_lines(r->cx, &room->flow, &r->h->text, &r->h->headings, &r->h->parts);
        if (rc == TWX_OK) rc = twx_add_fields(r);
        if (rc == TWX_OK) rc = twx_add_collapsed(r->cx, &r->h->title, twx_buf_slice(&room->title));
        if (rc == TWX_OK) rc = finish_layout(r);
    }
    EVP_MD_CTX_free(r->layout);
    return rc;
}

/* page: UTF-8. */
static twx_rc read_page(twx_html_reader *r, twx_slice page) {
    const twx_html_reader fresh = *r;
    twx_rc rc = normalize_lines(r->cx, page, &r->room->lines, &page);
    twx_sheet_clear(&r->room->sheet, page);
    if (rc == TWX_OK) rc = read_tree(r, page);
    if (rc != TWX_OK || !r->room->sheet.again) return rc;
    *r = fresh;
    rc = clear(r->cx, r->h);
    r->room->sheet.again = false;
    r->room->sheet.second = true;
    r->room->sheet.work = r->room->sheet.budget;
    return rc == TWX_OK ? read_tree(r, page) : rc;
}

/* Reads the page once. TWX_DONE: it must be read again with the encoding named by *late. */
static twx_rc read_once(twx_ctx *cx, twx_slice bytes, twx_slice charset, const twx_url *url,
                        twx_html *h, twx_slice *late) {
    static const twx_url NONE = {.fault = TWX_URL_EMPTY};
    twx_decoded decoded;
    h->encoding = "UTF-8";
    twx_rc rc = clear(cx, h);
    if (rc == TWX_OK) rc = twx_decode(cx, bytes, charset, true, &h->room->decoded, &decoded);
    if (rc != TWX_OK) return rc;
    h->encoding = decoded.encoding;
    twx_html_reader r = {
        .cx = cx, .h = h, .room = h->room, .page = url ? url : &NONE, .settled = decoded.certain};
    rc = read_page(&r, decoded.text);
    *late = r.late_charset;
    return rc;
}

twx_rc twx_html_parse(twx_ctx *cx, twx_slice bytes, twx_slice charset, const twx_url *url,
                      twx_html *p) {
    twx_slice late = {0};
    twx_rc rc = read_once(cx, bytes, charset, url, p, &late);
    if (rc == TWX_DONE)
        rc = read_once(cx, bytes, twx_slice_of(twx_meta_encoding(late)), url, p, &late);
    return rc == TWX_OK && url ? twx_html_links(cx, p, url) : rc;
}

twx_rc twx_html_text(twx_ctx *cx, twx_slice bytes, twx_slice charset, twx_buf *ret) {
    twx_html p;
    twx_html_init(&p, ret->max);
    twx_rc rc = twx_html_parse(cx, bytes, charset, NULL, &p);
    if (rc == TWX_OK) { /* the page's buffer becomes the caller's */
        p.text.max = ret->max;
        twx_buf_done(ret);
        *ret = p.text;
        p.text = (twx_buf){0};
    }
    twx_html_done(&p);
    return rc;
}
