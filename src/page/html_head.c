#include "page/internal.h"

/* ==== html_names */

/* The names that a page states outside of its shown text: alt texts of images, and names in
 * JSON-LD, microdata and OpenGraph. [R8]
 *
 * JSON-LD is scanned, not parsed: a scan needs neither recursion nor memory, and a block that is
 * not valid JSON, as many are, still has the names before its fault. */

enum {
    OFFERED_MAX = 2000, /* names of one page that are looked at: each is compared with the others */
    UTF8_MAX = 4,
    HEX_DIGITS = 4
};

/* ---- values ------------------------------------------------------------- */

twx_rc twx_add_cut(twx_ctx *cx, twx_buf *to, twx_slice s) {
    const size_t room = to->max - to->n;
    /* a longer character may have been cut off here, and what follows it must not take its place */
    if (room < UTF8_MAX) return TWX_OK;
    s = twx_utf8_cut(s, room);
    return s.n ? twx_buf_add_slice(cx, to, s) : TWX_OK;
}

static bool is_html_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\f' || c == '\r';
}

twx_rc twx_add_collapsed(twx_ctx *cx, twx_buf *to, twx_slice s) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0, end; rc == TWX_OK && i < s.n; i = end) {
        for (; i < s.n && is_html_space(s.p[i]); i++) continue;
        for (end = i; end < s.n && !is_html_space(s.p[end]); end++) continue;
        if (end > i && to->n > 0) rc = twx_add_cut(cx, to, TWX_SLICE_LIT(" "));
        if (rc == TWX_OK) rc = twx_add_cut(cx, to, twx_slice_sub(s, i, end));
    }
    while (to->n > 0 && to->p[to->n - 1] == ' ') to->p[--to->n] = '\0'; /* cut after a blank */
    return rc;
}

/* The text of a reference is never longer than the reference, except for a few names. A buffer of
 * twice the length is always enough. */
static twx_slice without_references(twx_slice raw, char *to) {
    size_t n = 0;
    for (const char *p = raw.p, *end = raw.p + raw.n; p < end;) {
        size_t bytes = 0, used = *p == '&' ? twx_char_ref(p, end, true, to + n, &bytes) : 0;
        if (used == 0 && *p == '\0') {
            used = 1;
            bytes = twx_utf8_put(TWX_REPLACEMENT, to + n);
        } else if (used == 0) {
            to[n] = *p;
            used = bytes = 1;
        }
        n += bytes;
        p += used;
    }
    return (twx_slice){to, n};
}

/* Replaces the character references of a value. The slice lies in `arena` or in the page. */
static twx_rc replaced(twx_html_reader *r, twx_arena *arena, twx_slice raw, twx_slice *ret) {
    *ret = raw;
    if (raw.n == 0 || (!memchr(raw.p, '&', raw.n) && !memchr(raw.p, '\0', raw.n))) return TWX_OK;
    char *room = twx_arena_alloc(r->cx, arena, raw.n + TWX_CHAR_REF_BYTES, 3);
    if (!room) return TWX_E_NOMEM;
    *ret = without_references(raw, room);
    return TWX_OK;
}

/* Of the current start tag; absent: no such attribute. */
static twx_rc attribute_value(twx_html_reader *r, twx_arena *arena, twx_attribute_id id,
                              twx_slice *ret) {
    return replaced(r, arena, twx_attribute_raw(&r->room->tokenizer, id), ret);
}

/* ---- fields ------------------------------------------------------------- */

enum { FORM_TEXT_BYTES = 2048 };

twx_rc twx_field_element(twx_html_reader *r, const twx_html_token *token) {
    static const char *const TYPES[] = {"submit", "button", "password", "text", "email", "tel", ""};
    const twx_slice type = twx_attribute_raw(&r->room->tokenizer, TWX_ATTR_type);
    twx_slice label = {0};
    size_t i = 0;
    while (i < TWX_COUNTOF(TYPES) && !twx_slice_eq_nocase(type, twx_slice_of(TYPES[i]))) i++;
    r->has_password |= i == 2;
    if (i == TWX_COUNTOF(TYPES) ||
        !twx_attribute_in(token->source, twx_slice_of(i < 2 ? "value" : "placeholder"), &label))
        return TWX_OK;
    twx_rc rc = replaced(r, &r->room->link, label, &label);
    if (rc == TWX_OK) rc = twx_add_collapsed(r->cx, &r->room->fields, label);
    twx_arena_reset(&r->room->link);
    return rc;
}

twx_rc twx_add_fields(twx_html_reader *r) {
    twx_buf *text = &r->h->text, *fields = &r->room->fields;
    if (!r->has_password || fields->n == 0 || text->n > FORM_TEXT_BYTES ||
        text->max - text->n <= fields->n)
        return TWX_OK;
    const twx_rc rc = text->n ? twx_buf_add_char(r->cx, text, '\n') : TWX_OK;
    return rc == TWX_OK ? twx_buf_add_slice(r->cx, text, twx_buf_slice(fields)) : rc;
}

/* ---- names -------------------------------------------------------------- */

/* Properties of schema.org whose values name a thing. */
static bool names_thing(twx_slice property) {
    static const char *const PROPERTIES[] = {"headline", "identifier", "mpn", "name", "sku"};
    for (size_t i = 0; i < TWX_COUNTOF(PROPERTIES); i++)
        if (twx_slice_eq(property, twx_slice_of(PROPERTIES[i]))) return true;
    return twx_slice_starts(property, TWX_SLICE_LIT("gtin"));
}

static bool is_full(const twx_html_reader *r) {
    const twx_buf *names = &r->h->names;
    return names->max - names->n <= UTF8_MAX || r->offered >= OFFERED_MAX;
}

static bool has_line(twx_slice lines, twx_slice line) {
    while (lines.n > 0)
        if (twx_slice_eq(twx_slice_next_line(&lines), line)) return true;
    return false;
}

static twx_rc add_name(twx_html_reader *r, twx_slice value) {
    twx_buf *names = &r->h->names, *name = &r->room->name;
    if (is_full(r)) return TWX_OK;
    twx_buf_clear(name);
    twx_rc rc = twx_add_collapsed(r->cx, name, value);
    if (rc != TWX_OK || name->n == 0) return rc;
    r->offered++;
    if (has_line(twx_buf_slice(names), twx_buf_slice(name))) return TWX_OK;
    if (names->n > 0) rc = twx_buf_add_char(r->cx, names, '\n');
    return rc == TWX_OK ? twx_add_cut(r->cx, names, twx_buf_slice(name)) : rc;
}

/* ---- attributes --------------------------------------------------------- */

static twx_rc add_attribute(twx_html_reader *r, twx_attribute_id id) {
    twx_slice value;
    twx_rc rc = is_full(r) ? TWX_DONE : attribute_value(r, &r->room->link, id, &value);
    if (rc == TWX_OK) rc = add_name(r, value);
    twx_arena_reset(&r->room->link);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static bool is_open_graph(twx_slice property) {
    property = twx_slice_trim(property);
    return twx_slice_eq_nocase(property, TWX_SLICE_LIT("og:title")) ||
           twx_slice_eq_nocase(property, TWX_SLICE_LIT("og:image:alt"));
}

static bool has_naming_word(twx_slice properties) {
    for (twx_slice word; twx_slice_next_word(&properties, &word);)
        if (names_thing(word)) return true;
    return false;
}

static bool is_json_ld(twx_slice type) {
    type = twx_slice_sub(type, 0, twx_slice_find(type, ';', 0));
    return twx_slice_eq_nocase(twx_slice_trim(type), TWX_SLICE_LIT("application/ld+json"));
}

twx_rc twx_names_element(twx_html_reader *r, const twx_open *e) {
    const twx_tokenizer *t = &r->room->tokenizer;
    const uint32_t wanted = 1u << TWX_ATTR_alt | 1u << TWX_ATTR_content | 1u << TWX_ATTR_type;
    const twx_slice type = twx_attribute_raw(t, TWX_ATTR_type);
    if (e->fragment || !(t->known & wanted)) return TWX_OK;
    if (e->tag == TWX_TAG_script) r->in_json = is_json_ld(type) && !is_full(r);
    if (e->tag == TWX_TAG_img || e->tag == TWX_TAG_area ||
        (e->tag == TWX_TAG_input && twx_slice_eq_nocase(type, TWX_SLICE_LIT("image"))))
        return add_attribute(r, TWX_ATTR_alt);
    if (has_naming_word(twx_attribute_raw(t, TWX_ATTR_itemprop)) ||
        (e->tag == TWX_TAG_meta && (is_open_graph(twx_attribute_raw(t, TWX_ATTR_property)) ||
                                    is_open_graph(twx_attribute_raw(t, TWX_ATTR_name)))))
        return add_attribute(r, TWX_ATTR_content);
    return TWX_OK;
}

/* ---- JSON-LD ------------------------------------------------------------ */

/* The closing quote of the string that begins at p. */
static char *string_end(char *p, const char *end) {
    for (; p < end && *p != '"'; p++)
        if (*p == '\\' && p + 1 < end) p++;
    return p;
}

/* The four digits after "\u" at p; -1: they are not there. */
static int32_t code_unit(const char *p, const char *end) {
    int32_t unit = 0;
    if (end - p < 2 + HEX_DIGITS || p[0] != '\\' || p[1] != 'u') return -1;
    for (int i = 0; i < HEX_DIGITS; i++) {
        const int digit = twx_hex_value((unsigned char)p[2 + i]);
        if (digit < 0) return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

/* Reads the escape at p, appends its character to *to and returns the end of the escape. */
static const char *unescape_one(const char *p, const char *end, char **to) {
    const int32_t unit = code_unit(p, end), low = unit < 0 ? -1 : code_unit(p + 6, end);
    const bool high = unit >= 0xD800 && unit < 0xDC00, pair = high && low >= 0xDC00 && low < 0xE000;
    if (unit >= 0) {
        const bool is_character = unit > 0 && (unit < 0xD800 || unit >= 0xE000);
        const int32_t code = pair ? 0x10000 + (unit - 0xD800) * 0x400 + (low - 0xDC00)
                                  : (is_character ? unit : TWX_REPLACEMENT);
        *to += twx_utf8_put((uint32_t)code, *to);
        return p + (pair ? 2 : 1) * (2 + HEX_DIGITS);
    }
    if (end - p < 2) return end;
    /* the escapes of control characters stand for white space or for nothing that is shown */
    *(*to)++ = memchr("bfnrt", p[1], 5) ? ' ' : p[1];
    return p + 2;
}

/* Replaces the escapes of a string in place: none is shorter than its character. */
static twx_slice unescape(char *from, const char *end) {
    char *to = from;
    for (const char *p = from; p < end;) {
        if (*p == '\\')
            p = unescape_one(p, end, &to);
        else
            *to++ = *p++;
    }
    return (twx_slice){from, (size_t)(to - from)};
}

static bool is_in_number(char c) {
    return twx_is_digit((unsigned char)c) || c == '-' || c == '+' || c == '.' || c == 'e' ||
           c == 'E';
}

/* Where the scan is: after a key that names a thing, or in the list that is its value. */
typedef enum json_place { ELSEWHERE, AT_VALUE, IN_LIST } json_place;

static json_place after_sign(json_place at, char sign) {
    switch (sign) {
    case '[': return at == AT_VALUE ? IN_LIST : ELSEWHERE;
    case ',': return at == IN_LIST ? IN_LIST : ELSEWHERE;
    case '{':
    case '}':
    case ']': return ELSEWHERE;
    default: return at;
    }
}

/* Takes the strings and numbers that are values of such keys, or in a list that is, up to the first
 * object or list in it. */
twx_rc twx_names_script(twx_html_reader *r) {
    twx_buf *json = &r->room->json;
    json_place at = ELSEWHERE;
    twx_rc rc = TWX_OK;
    r->in_json = false;
    for (char *p = json->p, *end = json->p + json->n; rc == TWX_OK && p < end && !is_full(r);) {
        char *const from = p + (*p == '"'), *to = from;
        const bool string = *p == '"', number = twx_is_digit((unsigned char)*p) || *p == '-';
        if (!string && !number) {
            at = after_sign(at, *p++);
            continue;
        }
        if (string)
            to = string_end(from, end);
        else
            while (to < end && is_in_number(*to)) to++;
        p = to + (string && to < end);
        while (string && p < end && twx_is_space((unsigned char)*p)) p++;
        if (string && p < end && *p == ':') {
            at = names_thing((twx_slice){from, (size_t)(to - from)}) ? AT_VALUE : ELSEWHERE;
            continue;
        }
        if (at != ELSEWHERE) rc = add_name(r, unescape(from, to));
        if (at == AT_VALUE) at = ELSEWHERE;
    }
    twx_buf_clear(json);
    return rc;
}

/* ==== html_head */

/* A link of the head that waits for the URL of the page, in the order of the page. */
typedef enum twx_reference_kind {
    TWX_REFERENCE_BASE,
    TWX_REFERENCE_CANONICAL,
    TWX_REFERENCE_TRANSLATION,
    TWX_REFERENCE_REFRESH
} twx_reference_kind;

typedef struct twx_reference {
    twx_reference_kind kind;
    twx_slice to; /* as written; in `scratch` or in the page */
} twx_reference;

/* The metadata in the head of a page: description, robots, canonical link, translations, redirect,
 * base, encoding. Also the links of the body. */

enum { REFRESH_SECONDS = 5 };

static twx_rc value_of(twx_html_reader *r, twx_attribute_id id, twx_slice *ret) {
    return attribute_value(r, &r->room->scratch, id, ret);
}

/* [R3] The absolute normalized form of a link. base: NULL: unknown. TWX_DONE: it has none. */
static twx_rc resolve(twx_ctx *cx, twx_arena *arena, const twx_url *base, twx_slice reference,
                      twx_url *ret_url) {
    reference = twx_slice_trim(reference);
    if ((base && base->fault != TWX_URL_OK) || reference.n == 0) return TWX_DONE;
    const twx_rc rc = base ? twx_url_resolve(cx, arena, NULL, base, reference, ret_url)
                           : twx_url_normalize(cx, arena, NULL, reference, ret_url);
    return rc == TWX_OK && ret_url->fault != TWX_URL_OK ? TWX_DONE : rc;
}

static twx_rc found(twx_rc rc) { /* a missing value is not an error */
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* ---- links, when the page has been read --------------------------------- */

/* [R4] */
static twx_rc note_translation(twx_ctx *cx, twx_html *h, const twx_url *page, twx_slice url) {
    twx_buf *smallest = &h->hreflang_group;
    twx_rc rc = TWX_OK;
    if (smallest->n == 0 && page && page->fault == TWX_URL_OK)
        rc = twx_add_cut(cx, smallest, page->whole);
    if (rc != TWX_OK || (smallest->n > 0 && twx_slice_cmp(url, twx_buf_slice(smallest)) >= 0))
        return rc;
    twx_buf_clear(smallest);
    return twx_add_cut(cx, smallest, url);
}

/* A field takes the first link that has a target; a page that refreshes itself has none. */
static twx_rc take_target(twx_ctx *cx, twx_html *h, const twx_url *page, twx_reference_kind kind,
                          twx_slice target) {
    if (kind == TWX_REFERENCE_TRANSLATION) return note_translation(cx, h, page, target);
    twx_buf *field = kind == TWX_REFERENCE_CANONICAL ? &h->canonical_url : &h->redirect_url;
    if (field->n > 0) return TWX_OK;
    if (kind == TWX_REFERENCE_REFRESH && page && twx_slice_eq(target, page->whole)) return TWX_OK;
    return twx_add_cut(cx, field, target);
}

twx_rc twx_html_links(twx_ctx *cx, twx_html *h, const twx_url *url) {
    twx_html_room *room = h->room;
    const twx_url *base = url;
    twx_url own, target;
    twx_rc rc = TWX_OK;
    twx_buf_clear(&h->canonical_url);
    twx_buf_clear(&h->redirect_url);
    twx_buf_clear(&h->hreflang_group);
    twx_arena_reset(&room->base);
    for (size_t i = 0; rc == TWX_OK && i < room->references.n; i++) {
        const twx_reference *at = &room->references.at[i];
        const bool is_base = at->kind == TWX_REFERENCE_BASE;
        if (is_base && base == &own) continue;
        rc = resolve(cx, is_base ? &room->base : &room->link, base, at->to, &target);
        if (rc == TWX_OK && is_base) {
            own = target;
            base = &own;
        } else if (rc == TWX_OK) {
            rc = take_target(cx, h, url, at->kind, target.whole);
        }
        twx_arena_reset(&room->link);
        rc = found(rc);
    }
    return rc;
}

/* ---- link --------------------------------------------------------------- */

static twx_rc keep(twx_html_reader *r, twx_reference_kind kind, twx_slice to) {
    const twx_reference reference = {.kind = kind, .to = to};
    if (twx_slice_trim(to).n == 0) return TWX_OK;
    return TWX_VEC_PUSH(r->cx, &r->room->references, reference) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc take_link(twx_html_reader *r) {
    twx_slice rel, href, hreflang;
    twx_rc rc = value_of(r, TWX_ATTR_rel, &rel);
    if (rc == TWX_OK) rc = value_of(r, TWX_ATTR_href, &href);
    if (rc == TWX_OK) rc = value_of(r, TWX_ATTR_hreflang, &hreflang);
    if (rc == TWX_OK && twx_slice_has_word(rel, TWX_SLICE_LIT("canonical")))
        rc = keep(r, TWX_REFERENCE_CANONICAL, href);
    if (rc == TWX_OK && twx_slice_has_word(rel, TWX_SLICE_LIT("alternate")) && hreflang.n > 0)
        rc = keep(r, TWX_REFERENCE_TRANSLATION, href);
    return rc;
}

/* ---- meta --------------------------------------------------------------- */

/* The target after the delay: "url = 'TARGET'", where all but TARGET can be absent. */
static twx_slice refresh_url(twx_slice rest) {
    const twx_slice word = TWX_SLICE_LIT("url");
    if (twx_slice_starts_nocase(rest, word)) {
        const twx_slice after = twx_slice_trim(twx_slice_sub(rest, word.n, rest.n));
        if (after.n && after.p[0] == '=') rest = twx_slice_trim(twx_slice_sub(after, 1, after.n));
    }
    if (rest.n == 0 || (rest.p[0] != '\'' && rest.p[0] != '"')) return rest;
    return twx_slice_sub(rest, 1, twx_slice_find(rest, rest.p[0], 1));
}

/* "0; url=/elsewhere" gives "/elsewhere" (HTML standard, shared declarative refresh steps), unless
 * it is not a redirect, or one with a longer delay. */
static twx_rc take_refresh(twx_html_reader *r, twx_slice content) {
    size_t at = 0, seconds = 0;
    content = twx_slice_trim(content);
    for (; twx_is_digit_at(content, at); at++)
        if (seconds <= REFRESH_SECONDS) seconds = seconds * 10 + (size_t)(content.p[at] - '0');
    if (seconds > REFRESH_SECONDS || (at == 0 && (content.n == 0 || content.p[0] != '.')))
        return TWX_OK;
    while (twx_is_digit_at(content, at) || (at < content.n && content.p[at] == '.')) at++;
    twx_slice rest = twx_slice_trim(twx_slice_sub(content, at, content.n));
    const bool separated = rest.n && (rest.p[0] == ';' || rest.p[0] == ',');
    if (rest.n && !separated && !twx_is_space((unsigned char)content.p[at])) return TWX_OK;
    if (separated) rest = twx_slice_trim(twx_slice_sub(rest, 1, rest.n));
    return keep(r, TWX_REFERENCE_REFRESH, refresh_url(rest));
}

static twx_rc take_description(twx_html_reader *r, twx_slice content) {
    twx_buf_clear(&r->h->description);
    r->h->has_description = true;
    return twx_add_collapsed(r->cx, &r->h->description, content);
}

static twx_rc take_robots(twx_html_reader *r, twx_slice content) {
    if (content.n == 0) return TWX_OK;
    twx_rc rc = r->h->robots.n > 0 ? twx_add_cut(r->cx, &r->h->robots, TWX_SLICE_LIT(", "))
                                   : TWX_OK;
    return rc == TWX_OK ? twx_add_cut(r->cx, &r->h->robots, content) : rc;
}

/* The standard's "change the encoding": if the encoding was a guess and a meta element names
 * another one, the page is read again. */
static twx_rc take_charset(twx_html_reader *r, twx_slice label) {
    const char *name = label.n > 0 && !r->settled ? twx_meta_encoding(label) : NULL;
    if (!name || strcmp(name, r->h->encoding) == 0) return TWX_OK;
    r->late_charset = label;
    return TWX_DONE;
}

static twx_rc take_meta(twx_html_reader *r) {
    twx_slice name, content, property, equivalent, charset;
    twx_rc rc = value_of(r, TWX_ATTR_name, &name);
    if (rc == TWX_OK) rc = value_of(r, TWX_ATTR_content, &content);
    if (rc == TWX_OK) rc = value_of(r, TWX_ATTR_property, &property);
    if (rc == TWX_OK) rc = value_of(r, TWX_ATTR_http_equiv, &equivalent);
    if (rc == TWX_OK) rc = value_of(r, TWX_ATTR_charset, &charset);
    if (rc == TWX_OK && charset.n > 0) rc = take_charset(r, charset);
    if (rc == TWX_OK && twx_slice_eq_nocase(equivalent, TWX_SLICE_LIT("content-type")))
        rc = take_charset(r, twx_charset_in(content));
    if (rc != TWX_OK) return rc;
    name = twx_slice_trim(name);
    if (twx_slice_eq_nocase(name, TWX_SLICE_LIT("description")) && !r->named_description) {
        r->named_description = true;
        return take_description(r, content);
    }
    if (twx_slice_eq_nocase(property, TWX_SLICE_LIT("og:description")))
        return r->h->has_description ? TWX_OK : take_description(r, content);
    if (twx_slice_eq_nocase(name, TWX_SLICE_LIT("robots"))) return take_robots(r, content);
    return twx_slice_eq_nocase(twx_slice_trim(equivalent), TWX_SLICE_LIT("refresh"))
               ? take_refresh(r, content)
               : TWX_OK;
}

/* ---- elements ----------------------------------------------------------- */

/* The links of the body are resolved as they are read. */
static twx_rc take_base(twx_html_reader *r) {
    twx_slice href;
    twx_url base;
    if (r->has_base) return TWX_OK;
    twx_rc rc = value_of(r, TWX_ATTR_href, &href);
    if (rc == TWX_OK) rc = keep(r, TWX_REFERENCE_BASE, href);
    if (rc == TWX_OK) rc = resolve(r->cx, &r->room->scratch, r->page, href, &base);
    if (rc != TWX_OK) return found(rc);
    r->base = base;
    r->has_base = true;
    return TWX_OK;
}

twx_rc twx_head_element(twx_html_reader *r, const twx_open *parent, const twx_open *e) {
    if (!parent || parent->tag != TWX_TAG_head || parent->inert) return TWX_OK;
    switch (e->tag) {
    case TWX_TAG_link: return take_link(r);
    case TWX_TAG_meta: return take_meta(r);
    case TWX_TAG_base: return take_base(r);
    default: return TWX_OK;
    }
}

twx_rc twx_head_language(twx_html_reader *r) {
    twx_slice language;
    if (r->h->language.n > 0) return TWX_OK;
    const twx_rc rc = value_of(r, TWX_ATTR_lang, &language);
    return rc == TWX_OK && language.p
               ? twx_add_cut(r->cx, &r->h->language, twx_slice_trim(language))
               : rc;
}

/* [R7] A normalized URL contains no line feed. */
twx_rc twx_head_anchor(twx_html_reader *r) {
    twx_buf *links = &r->h->links;
    twx_slice href;
    twx_url target;
    twx_rc rc = attribute_value(r, &r->room->link, TWX_ATTR_href, &href);
    if (rc == TWX_OK)
        rc = resolve(r->cx, &r->room->link, r->has_base ? &r->base : r->page, href, &target);
    const twx_slice url = rc == TWX_OK ? target.whole : (twx_slice){0};
    if (rc == TWX_OK && !twx_slice_eq(url, r->page->whole) && url.n < links->max - links->n &&
        (twx_slice_starts(url, TWX_SLICE_LIT("http://")) ||
         twx_slice_starts(url, TWX_SLICE_LIT("https://")))) {
        rc = twx_buf_add_slice(r->cx, links, url);
        if (rc == TWX_OK) rc = twx_buf_add_char(r->cx, links, '\n');
    }
    twx_arena_reset(&r->room->link);
    return found(rc);
}
