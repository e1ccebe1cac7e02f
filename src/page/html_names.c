/* The names that a page states outside of its shown text: alt texts of images, and names in
 * JSON-LD, microdata and OpenGraph. [R8]
 *
 * JSON-LD is scanned, not parsed: a scan needs neither recursion nor memory, and a block that is
 * not valid JSON, as many are, still has the names before its fault. */
#include <string.h>

#include "base/utf8.h"
#include "page/html_reader.h"

enum {
    OFFERED_MAX = 2000, /* names of one page that are looked at: each is compared with the others */
    UTF8_MAX = 4,
    HEX_DIGITS = 4
};

/* ---- values ------------------------------------------------------------- */

twx_rc twx_add_cut(twx_ctx *cx, twx_buf *to, twx_slice s) {
    size_t n = s.n, room = to->max - to->n;
    /* a longer character may have been cut off here, and what follows it must not take its place */
    if (room < UTF8_MAX) return TWX_OK;
    if (n > room)
        for (n = room; n > 0 && ((unsigned char)s.p[n] & 0xC0) == 0x80;) n--;
    return n ? twx_buf_add(cx, to, s.p, n) : TWX_OK;
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

twx_rc twx_attribute_value(twx_html_reader *r, twx_arena *arena, twx_attribute_id id,
                           twx_slice *ret) {
    const twx_slice raw = twx_attribute_raw(&r->room->tokenizer, id);
    *ret = raw;
    if (raw.n == 0 || (!memchr(raw.p, '&', raw.n) && !memchr(raw.p, '\0', raw.n))) return TWX_OK;
    char *room = twx_arena_alloc(r->cx, arena, raw.n + TWX_CHAR_REF_BYTES, 3);
    if (!room) return TWX_E_NOMEM;
    *ret = without_references(raw, room);
    return TWX_OK;
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
    for (size_t from = 0, to; from < lines.n; from = to + 1) {
        to = twx_slice_find(lines, '\n', from);
        if (twx_slice_eq(twx_slice_sub(lines, from, to), line)) return true;
    }
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
    twx_rc rc = is_full(r) ? TWX_DONE : twx_attribute_value(r, &r->room->link, id, &value);
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
    for (size_t from = 0, to; from < properties.n; from = to + 1) {
        for (to = from; to < properties.n; to++)
            if (twx_is_space((unsigned char)properties.p[to])) break;
        if (names_thing(twx_slice_sub(properties, from, to))) return true;
    }
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
